"""The code of one submission: its files, listed and read once for all that look at it."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from grader.inspection.import_graph import ImportGraph, imported_files
from grader.intake.files import MAX_PYTHON_FILES, Files, list_files
from grader.source.facts import Source, Unreadable
from grader.source.reading import read_source

_COMPILED = (".so", ".pyd")


@dataclass(frozen=True, slots=True)
class SubmissionCode:
    """What was read of a submission."""

    root: Path
    """The folder of the submission, or the one that holds the single file."""
    file: Path | None
    """The single file that was given, relative to the root; None for a whole folder."""
    files: Files
    graph: ImportGraph
    unreadable: tuple[Unreadable, ...]


def read_code(path: Path) -> SubmissionCode:
    """Read a submission's folder, or a single file and those that it imports. Nothing of it is run."""
    path = path.resolve()
    if path.is_dir():
        files = list_files(path)
        return _code(path, None, files, [read_source(path, file) for file in files.python])
    root = path.parent
    found = _read_imported(root, Path(path.name))
    beside = tuple(file.relative_to(root) for file in sorted(root.glob("requirements*.txt")))
    return _code(root, Path(path.name), Files(tuple(found), beside, ()), found.values())


def _code(root: Path, file: Path | None, files: Files, read: Iterable[Source | Unreadable | None]) -> SubmissionCode:
    read = list(read)
    graph = ImportGraph([source for source in read if isinstance(source, Source)])
    return SubmissionCode(root, file, files, graph, tuple(source for source in read if isinstance(source, Unreadable)))


def _read_imported(root: Path, file: Path) -> dict[Path, Source | Unreadable | None]:
    """One file and those that it imports: whatever else lies in its folder may be anybody's."""
    read: dict[Path, Source | Unreadable | None] = {}
    waiting = [file]
    while waiting and len(read) < MAX_PYTHON_FILES:
        file = waiting.pop()
        if file in read:
            continue
        source = read[file] = None if file.suffix in _COMPILED else read_source(root, file)
        if isinstance(source, Source):
            waiting += {near for near in imported_files(source) if near not in read and _is_below(root, near)}
    return read


def _is_below(root: Path, file: Path) -> bool:
    """Whether there is such a file, and not a link that leads out of the folder."""
    full = str(root / file)
    return os.path.isfile(full) and Path(os.path.realpath(full)).is_relative_to(root)  # noqa: PTH113  pathlib's raises for a name that is too long
