"""The documents that are compared: all Python code of a submission, a hand-out or a reference player."""

import json
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import grader
from grader.inspection.import_graph import ImportGraph
from grader.inspection.reference_catalogue import reference_folder, reference_players
from grader.intake.files import decode_text, list_files, printable_path
from grader.intake.submission import IntakeError, Submission
from grader.language import say
from grader.similarity.fingerprints import Gram, fingerprints
from grader.similarity.symbols import BREAK, symbols
from grader.source.facts import Source
from grader.source.reading import MAX_BYTES, read_source

MAX_TOKENS = 100_000
"""Of one submission that are looked at, as well as `MAX_BYTES`: an honest player has some thousands."""
NOTEBOOK = ".ipynb"


@dataclass(frozen=True, slots=True)
class File:
    """One file, as it is shown."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The Python of somebody."""

    id: str
    name: str
    contents: str = ""
    """The digest of all its files, whatever they are called."""
    members: tuple[str, ...] = ()
    files: tuple[File, ...] = ()
    starts: tuple[int, ...] = ()
    """Where each file begins in `codes`."""
    codes: bytes = b""
    """All symbols, with a `BREAK` behind each file."""
    lines: tuple[int, ...] = ()
    """The line in its file of each symbol."""
    grams: dict[int, Gram]
    """The fingerprints, by where they begin."""
    remarks: tuple[str, ...] = ()
    """What was not looked at, and why."""

    def locate(self, at: int) -> tuple[int, int]:
        """The file, as an index into `files`, and the line of a symbol."""
        return bisect_right(self.starts, at) - 1, self.lines[at]

    def grams_of(self, file: int) -> frozenset[Gram]:
        """The fingerprints in one of its files."""
        return frozenset(gram for at, gram in self.grams.items() if self.locate(at)[0] == file)


def submission_document(submission: Submission) -> Document:
    """All Python of a submission, that in notebooks included."""
    paths = _python_files(submission.folder) if submission.problem is None else ()
    remarks: tuple[str, ...] = (submission.problem.text,) if submission.problem else ()
    if not paths and not remarks:
        remarks = (say("There is no Python in it."),)
    document = _build_document(submission.id, submission.folder, paths, remarks)
    own_name = submission.name or submission.id
    return replace(document, name=own_name, contents=submission.contents, members=submission.members)


def handout_document(path: Path) -> Document:
    """All Python files of a folder of the course, or a single one. Raises `IntakeError` for anything else."""
    if path.is_file():
        if path.suffix.lower() not in (".py", NOTEBOOK):
            raise IntakeError(say("{file}: expected a folder or a .py as a hand-out. Unpack it first.", file=str(path)))
        return _build_document(path.name, path.parent, [Path(path.name)])
    return _build_document(path.name, path, _python_files(path))


def _python_files(folder: Path) -> tuple[Path, ...]:
    files = list_files(folder)
    return (*files.python, *(file for file in files.others if file.suffix.lower() == NOTEBOOK))


def reference_documents() -> tuple[Document, ...]:
    """The reference players, each in its own file first, and then with what it imports from those beside it."""
    root = reference_folder()
    sources = [read_source(root.parent, Path(root.name) / file) for file in list_files(root).python]
    graph = ImportGraph([source for source in sources if isinstance(source, Source)])
    return tuple(
        _build_document(
            reference.name if reference.games else f"any_game/{reference.name}",
            root.parent,
            [own.file, *sorted(beside.file for beside in graph.reachable_files(own) if beside != own)],
        )
        for reference in reference_players()
        for own in graph.sources
        if own.file == reference.file.relative_to(root.parent)
    )


def course_document() -> Document:
    """The grader's own player and the classes of all games, which anybody can read."""
    root = Path(grader.__file__).parent
    games = [path.relative_to(root) for path in sorted((root / "games").glob("**/*.py"))]
    return _build_document("grader", root, [Path("player.py"), *games])


def _build_document(own_id: str, root: Path, paths: Iterable[Path], remarks: tuple[str, ...] = ()) -> Document:
    files: list[File] = []
    starts: list[int] = []
    codes, lines = bytearray(), list[int]()
    room = MAX_BYTES
    for path in paths:
        text, whole = _read_text(root / path, room)
        room -= len(text)
        found = symbols(text, max(0, MAX_TOKENS - len(codes)))
        starts.append(len(codes))
        files.append(File(printable_path(path), tuple(text.split("\n"))))
        codes += found.codes + BREAK
        lines += [*found.lines, 0]
        if not (whole and found.whole):
            file = printable_path(path)
            too_large = say("It is too large: what comes after the beginning of {file} was not compared.", file=file)
            remarks = (*remarks, too_large)
            break
    return Document(
        id=own_id,
        name=own_id,
        files=tuple(files),
        starts=tuple(starts),
        codes=bytes(codes),
        lines=tuple(lines),
        grams={at: gram for at, gram in fingerprints(bytes(codes)).items() if BREAK not in gram},
        remarks=remarks,
    )


def _read_text(path: Path, most: int) -> tuple[str, bool]:
    """The text of a file in whatever encoding, with plain ends of lines, and whether that is all of it."""
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        reason = str(error.strerror)
        raise IntakeError(
            say("{file} cannot be read: {reason}. Give the grader the right to read it.", file=str(path), reason=reason)
        ) from error
    whole, data = len(data) <= most, data[:most]
    text = decode_text(data, "latin-1")  # which takes any bytes, and is what old editors write
    if path.suffix.lower() == NOTEBOOK:
        text = _notebook_code(text)
    return text.replace("\r\n", "\n").replace("\r", "\n"), whole


def _notebook_code(notebook: str) -> str:
    """The code of a notebook, cell by cell; nothing of what is none. Students can write anything into it."""
    try:
        cells = json.loads(notebook)["cells"]
        sources = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
        text = "\n\n".join(source if isinstance(source, str) else "".join(source) for source in sources)
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return text.encode("utf-8", errors="replace").decode("utf-8")  # JSON can spell what is no letter
