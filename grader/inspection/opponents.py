"""A course's own opponent: a file, a folder, or `file.py:Class`, found like the player of a submission."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.errors import OptionError
from grader.inspection.entry import Entry, find_entry
from grader.inspection.players import ResolvedPlayer, check_options
from grader.intake.files import list_files
from grader.intake.submission import StagingFault
from grader.language import say
from grader.source.facts import Source
from grader.source.reading import read_source


def own_opponent(text: str, options: Mapping[str, Any], folder: Path, name: str) -> ResolvedPlayer:
    """The opponent that an assignment in this folder means. Raises `OptionError` with a sentence if there is none."""
    written, _, chosen = text.partition(":") if ".py:" in text else (text, "", "")
    path = Path(folder, written)
    if not path.exists():
        if path.is_absolute() and Path(written).is_absolute():
            raise OptionError(say("{path}: there is no such file or folder", path=written))
        raise OptionError(
            say("{path}: there is no such file or folder (looked in {folder})", path=written, folder=str(folder))
        )
    entry, findings = find_entry(path, f"{path.name}:{chosen}" if chosen else None)
    if entry is None:
        raise OptionError(
            say(
                "{path}: {text} Name the class that should play, e.g. {path}:MyPlayer.",
                path=written,
                text=findings[0].text if findings[0].line is None else f"line {findings[0].line}: {findings[0].text}",
            )
        )
    known = _parameters(entry)
    if known is not None:
        check_options(name, options, known)
    return ResolvedPlayer(name=name, entry=entry, options=dict(options), digest=_digest(entry))


def stage_opponent(player: ResolvedPlayer, folder: Path) -> ResolvedPlayer:
    """The same opponent in a copy of its files, so that its process is granted these and nothing that lies beside them."""
    entry = player.entry
    assert entry is not None
    root = folder / player.digest[:16] / entry.root.name
    try:
        for file in entry_files(entry):
            target = root / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(entry.root / file, target)
    except OSError as error:
        raise StagingFault.cannot_write(folder, error) from error
    readable = tuple(root / path.relative_to(entry.root) for path in entry.readable)
    return replace(player, entry=replace(entry, root=root, readable=readable))


def entry_files(entry: Entry) -> Iterator[Path]:
    """Its files, relative to its root: a single file with what it imports, or all of a folder."""
    if entry.readable:
        yield from (path.relative_to(entry.root) for path in sorted(entry.readable))
        return
    found = list_files(entry.root)
    yield from sorted({*found.python, *found.others})


def _digest(entry: Entry) -> str:
    """What it is made of, and which of it plays."""
    digest = hashlib.sha256(f"{entry.file.as_posix()}:{entry.name}\0".encode())
    for file in entry_files(entry):
        digest.update(f"{file.as_posix()}\0".encode() + (entry.root / file).read_bytes() + b"\0")
    return digest.hexdigest()


def _parameters(entry: Entry) -> list[str] | None:
    """What its constructor takes, if its own class says so and takes nothing beyond that."""
    source = read_source(entry.root, entry.file)
    for shape in source.classes if isinstance(source, Source) else ():
        if shape.name == entry.name and "__init__" in shape.methods and not shape.takes_any_option:
            return [name for name, _ in shape.parameters]
    return None
