"""What a file or folder says about whether it is a submission, or only a part of one."""

from dataclasses import dataclass
from pathlib import Path

from grader.intake.archive import BROKEN
from grader.intake.file_tree import FileNode, Refusal
from grader.source.facts import Source
from grader.source.notebook import NOTEBOOK
from grader.source.reading import max_bytes, parse_source

MAX_WRAPPERS = 3
"""How many folders that contain nothing but the next one are looked into."""
ENTRIES = ("solution.py", "player.py")
"""Files that are taken for a player by their name."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What was read from a file, or from all files of a folder."""

    has_play: bool = False
    """Whether the file itself defines how to play."""
    can_play: bool = False
    """Whether it looks like a submission."""
    may_play: bool = False
    """Whether it does, or contains code that cannot be read."""
    imports: tuple[str, ...] = ()
    """The top-level modules that the file imports."""


def read_signs(node: FileNode, wrappers: int = 0) -> Signs:
    """The signs of a file or folder. Parses what students wrote: only for a process that may be ended."""
    if not node.is_folder:
        return _file_signs(node)
    try:
        inner = node.children()
    except Refusal:  # staging reports it
        return Signs()
    files = [child for child in inner if not child.is_folder]
    folders = [child for child in inner if child.is_folder]
    if any(file.name == "pyvenv.cfg" for file in files):
        return Signs()
    parts = files + (folders if len(folders) == 1 and wrappers < MAX_WRAPPERS else [])
    unreadable = False
    for part in parts:
        signs = read_signs(part, wrappers + part.is_folder)
        if signs.can_play:
            return Signs(can_play=True, may_play=True)
        unreadable |= signs.may_play
    return Signs(may_play=unreadable)


def unread_signs(node: FileNode) -> Signs:
    """The signs of a file or folder whose contents could not be read."""
    named = _named_like_a_submission(node)
    return Signs(can_play=named, may_play=named or node.is_folder or node.suffix == ".py")


def _file_signs(node: FileNode) -> Signs:
    source = _source(node) if node.suffix in (".py", NOTEBOOK) else None
    if source is None:
        return unread_signs(node)
    named = _named_like_a_submission(node)
    imports = {use.module.partition(".")[0] for use in source.imports}
    can_play = named or source.has_play
    return Signs(source.has_play, can_play, can_play, tuple(sorted(imports)))


def _named_like_a_submission(node: FileNode) -> bool:
    return node.is_zip or (not node.is_folder and node.name.lower() in ENTRIES)


def _source(node: FileNode) -> Source | None:
    """What a Python file defines and uses, or None if it cannot be read."""
    if node.read is None or node.size > max_bytes(Path(node.name)):
        return None
    try:
        with node.read() as file:
            source = parse_source(Path(node.name), file.read())
    except (Refusal, *BROKEN):
        return None
    return source if isinstance(source, Source) else None
