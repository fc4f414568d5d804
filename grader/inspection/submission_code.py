"""The code of one submission: its files, listed and parsed once for everything that inspects it."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from grader.inspection.import_graph import ImportGraph, imported_files
from grader.intake.files import MAX_PYTHON_FILES, Files, list_files
from grader.language import say
from grader.source.facts import Source, Unreadable
from grader.source.reading import is_notebook, read_source

_COMPILED = (".so", ".pyd")
_MAX_NOTEBOOKS = 20
"""How many notebooks of a submission are read."""


@dataclass(frozen=True, slots=True)
class SubmissionCode:
    """The files of a submission and what was read from them."""

    root: Path
    """The folder of the submission, or the one that contains the single file."""
    file: Path | None
    """The single file that was given, relative to the root; None for a whole folder."""
    files: Files
    graph: ImportGraph
    unreadable: tuple[Unreadable, ...]


def read_code(path: Path) -> SubmissionCode:
    """Read a submission's folder, or a single file and the files it imports. Nothing is run."""
    path = path.resolve()
    if path.is_dir():
        files = list_files(path)
        return _code(path, None, files, [read_source(path, file) for file in files.python])
    root = path.parent
    parsed = _read_imported(root, Path(path.name))
    requirements = tuple(file.relative_to(root) for file in sorted(root.glob("requirements*.txt")))
    return _code(root, Path(path.name), Files(tuple(parsed), requirements, ()), parsed.values())


def with_notebooks(code: SubmissionCode) -> SubmissionCode | None:
    """The same code with the notebooks of the folder; None if it has none."""
    files = code.files
    notebooks = [file for file in files.others if is_notebook(file)][:_MAX_NOTEBOOKS]
    if code.file is not None or not notebooks:
        return None
    parsed = [read_source(code.root, file) for file in notebooks]
    others = tuple(file for file in files.others if file not in notebooks)
    return _code(
        code.root,
        None,
        replace(files, python=(*files.python, *notebooks), others=others),
        [*code.graph.sources, *code.unreadable, *parsed],
    )


def _code(root: Path, file: Path | None, files: Files, parsed: Iterable[Source | Unreadable | None]) -> SubmissionCode:
    parsed = list(parsed)
    graph = ImportGraph([source for source in parsed if isinstance(source, Source)])
    unreadable = [bad for bad in parsed if isinstance(bad, Unreadable)]
    for source in graph.sources:
        unreadable += _broken_cells(source)
    return SubmissionCode(root, file, files, graph, tuple(dict.fromkeys(unreadable)))


def _broken_cells(source: Source) -> Iterator[Unreadable]:
    """The cells of a notebook that could not be parsed: the others are used without them."""
    for broken in source.notebook.broken if source.notebook is not None else ():
        help_ = say("Fix this line.")
        yield Unreadable(source.file, broken.line, broken.reason, help_, is_syntax_error=True, cell=broken.cell)


def _read_imported(root: Path, file: Path) -> dict[Path, Source | Unreadable | None]:
    """One file and the files it imports: the other files in its folder may have nothing to do with it."""
    parsed: dict[Path, Source | Unreadable | None] = {}
    pending = [file]
    while pending and len(parsed) < MAX_PYTHON_FILES:
        file = pending.pop()
        if file in parsed:
            continue
        source = parsed[file] = None if file.suffix in _COMPILED else read_source(root, file)
        if isinstance(source, Source):
            pending += {other for other in imported_files(source) if other not in parsed and _is_below(root, other)}
    return parsed


def _is_below(root: Path, file: Path) -> bool:
    """Whether the file exists and is not a link that leads out of the folder."""
    full = str(root / file)
    return os.path.isfile(full) and Path(os.path.realpath(full)).is_relative_to(root)  # noqa: PTH113  pathlib's raises for a name that is too long
