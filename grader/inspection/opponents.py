"""A course's own opponents: a file, a folder, or `file.py:Class`, found like the player of a submission."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.errors import OptionError
from grader.inspection.choice import NEED_DECISION
from grader.inspection.entry import Entry, find_entry
from grader.inspection.players import ResolvedPlayer, check_options
from grader.intake.files import list_files
from grader.intake.submission import StagingFault
from grader.language import say
from grader.records import Finding
from grader.source.facts import Source
from grader.source.reading import read_source


def own_opponent(text: str, options: Mapping[str, Any], folder: Path, name: str) -> ResolvedPlayer:
    """The opponent that an assignment in this folder names. Raises `OptionError` if there is none."""
    written, _, class_name = text.partition(":") if ".py:" in text else (text, "", "")
    path = Path(folder, written)
    if not path.exists():
        if path.is_absolute() and Path(written).is_absolute():
            raise OptionError(say("{path}: no such file or folder", path=written))
        raise OptionError(say("{path}: no such file or folder (looked in {folder})", path=written, folder=str(folder)))
    entry, findings = find_entry(path, f"{path.name}:{class_name}" if class_name else None)
    if entry is None:
        problem = findings[0]
        where = f"{written}:{problem.line}" if problem.line is not None else written
        raise OptionError(say("{where}: {text} {help}", where=where, text=problem.text, help=_advice(problem, written)))
    known = _parameters(entry)
    if known is not None:
        check_options(name, options, known)
    return ResolvedPlayer(name=name, entry=entry, options=dict(options), digest=_digest(entry))


def _advice(problem: Finding, path: str) -> str:
    if problem.code in NEED_DECISION:
        return say("Choose one, e.g. {path}:MyPlayer.", path=path)
    return problem.help


def stage_opponent(player: ResolvedPlayer, folder: Path) -> ResolvedPlayer:
    """The same opponent in a copy of its files, so that its process can read these and nothing next to them."""
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
    """The files of a player, relative to its root: a single file with those it imports, or a whole folder."""
    if entry.readable:
        yield from (path.relative_to(entry.root) for path in sorted(entry.readable))
        return
    found = list_files(entry.root)
    yield from sorted({*found.python, *found.others})


def _digest(entry: Entry) -> str:
    """A digest of its files and of the name of the class that plays."""
    digest = hashlib.sha256(f"{entry.file.as_posix()}:{entry.name}\0".encode())
    for file in entry_files(entry):
        digest.update(f"{file.as_posix()}\0".encode() + (entry.root / file).read_bytes() + b"\0")
    return digest.hexdigest()


def _parameters(entry: Entry) -> list[str] | None:
    """The parameters of its constructor; None if it inherits the constructor or accepts any option."""
    source = read_source(entry.root, entry.file)
    for shape in source.classes if isinstance(source, Source) else ():
        if shape.name == entry.name and "__init__" in shape.methods and not shape.takes_any_option:
            return [name for name, _ in shape.parameters]
    return None
