"""The documents to compare: all the Python code of a submission, a handout or a reference player."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

import grader
from grader.inspection.import_graph import ImportGraph
from grader.inspection.reference_catalogue import reference_folder, reference_players
from grader.intake.files import Files, decode_text, list_files, printable_path
from grader.intake.submission import IntakeError, Submission
from grader.language import Message, say
from grader.similarity.file_roles import Role, file_roles
from grader.similarity.fingerprints import GRAM, Gram, fingerprints
from grader.similarity.shipped_files import ShippedFile, shipped_files
from grader.similarity.symbols import BREAK, symbols
from grader.source.encoding import declared_encoding, is_allowed
from grader.source.facts import Source
from grader.source.notebook import MAX_NOTEBOOK, NOTEBOOK, code_cells
from grader.source.reading import MAX_BYTES, is_notebook, read_source

MAX_TOKENS = 100_000
"""The maximum number of tokens read from one submission, in addition to `MAX_BYTES`. A normal player has a few thousand."""


@dataclass(frozen=True, slots=True)
class File:
    """One file, for display."""

    name: str
    lines: tuple[str, ...]
    role: Role = Role.USED
    digest: str = ""
    """A hash of its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The Python code of one submission, handout or reference player."""

    id: str
    name: str
    contents: str = ""
    """The digest of the contents of all its files, regardless of their names."""
    members: tuple[str, ...] = ()
    files: tuple[File, ...] = ()
    starts: tuple[int, ...] = ()
    """The index in `codes` at which each file starts."""
    codes: bytes = b""
    """All symbols, with a `BREAK` after each file."""
    lines: tuple[int, ...] = ()
    """The line of each symbol in its file."""
    grams: dict[int, Gram]
    """The fingerprints, by the index of their first symbol."""
    remarks: tuple[str, ...] = ()
    """What was not compared, and why."""
    shipped: tuple[ShippedFile, ...] = ()
    """Compiled programs, nets and files of known engines in it."""

    def locate(self, at: int) -> tuple[int, int]:
        """The file (as an index into `files`) and the line of a symbol."""
        return bisect_right(self.starts, at) - 1, self.lines[at]

    def file_at(self, at: int) -> File:
        """The file that contains a symbol."""
        return self.files[self.locate(at)[0]]

    @property
    def is_consistent(self) -> bool:
        """Whether its parts fit together. Documents that another process made may not."""
        starts = self.starts
        return (
            len(starts) == len(self.files)
            and len(self.lines) == len(self.codes)
            and all(first < second for first, second in pairwise((-1, *starts, len(self.codes) + 1)))
            and (not starts or starts[0] == 0)
            and all(0 <= line <= MAX_BYTES for line in self.lines)
            and all(
                at >= 0 and len(gram) == GRAM and self.codes[at : at + GRAM] == gram for at, gram in self.grams.items()
            )
        )

    def grams_of(self, file: int) -> frozenset[Gram]:
        """The fingerprints in one of its files."""
        return frozenset(gram for at, gram in self.grams.items() if self.locate(at)[0] == file)


def code_document(id_: str, folder: Path) -> Document:
    """All the Python code in a submission's folder, including notebooks."""
    files = list_files(folder)
    paths = _python_files(files)
    remarks = () if paths else (say("It contains no Python code."),)
    document = _build_document(id_, folder, paths, remarks, file_roles(folder))
    return replace(document, shipped=shipped_files(folder, (*files.python, *files.others)))


def submission_document(submission: Submission, code: Document | None) -> Document:
    """A submission with the code that was read from its folder; without code, the submission's problem says why."""
    if code is None:
        remarks = (submission.problem.text,) if submission.problem else ()
        code = Document(id=submission.id, name=submission.id, grams={}, remarks=remarks)
    name = submission.name or submission.id
    return replace(code, id=submission.id, name=name, contents=submission.contents, members=submission.members)


def handout_document(path: Path) -> Document:
    """All Python files of a folder, or a single file. Raises `IntakeError` for any other file."""
    if path.is_file():
        if path.suffix.lower() not in (".py", NOTEBOOK):
            raise IntakeError(
                say("{file}: a handout must be a folder or a .py file. Unpack archives first.", file=str(path))
            )
        return _build_document(path.name, path.parent, [Path(path.name)])
    return _build_document(path.name, path, _python_files(list_files(path)))


def _python_files(files: Files) -> tuple[Path, ...]:
    return (*files.python, *(file for file in files.others if is_notebook(file)))


def reference_documents() -> tuple[Document, ...]:
    """The reference players: for each, its own file first, then the files that it imports."""
    root = reference_folder()
    sources = [read_source(root.parent, Path(root.name) / file) for file in list_files(root).python]
    graph = ImportGraph([source for source in sources if isinstance(source, Source)])
    return tuple(
        _build_document(
            reference.name if reference.games else f"any_game/{reference.name}",
            root.parent,
            [own.file, *sorted(other.file for other in graph.reachable_files(own) if other != own)],
        )
        for reference in reference_players()
        for own in graph.sources
        if own.file == reference.file.relative_to(root.parent)
    )


def course_document() -> Document:
    """The grader's `Player` class and the modules of all games, which are public."""
    root = Path(grader.__file__).parent
    games = [path.relative_to(root) for path in sorted((root / "games").glob("**/*.py"))]
    return _build_document("grader", root, [Path("player.py"), *games])


def _build_document(
    id_: str,
    root: Path,
    paths: Iterable[Path],
    remarks: tuple[str, ...] = (),
    roles: Mapping[Path, Role] = MappingProxyType({}),
) -> Document:
    files: list[File] = []
    starts: list[int] = []
    codes, lines = bytearray(), list[int]()
    bytes_left = MAX_BYTES
    for path in paths:
        text, complete = _read_text(root / path, bytes_left)
        bytes_left -= len(text)
        encoding = declared_encoding(text.encode("utf-8", "replace"))
        if encoding is not None and not is_allowed(encoding):
            remarks = (*remarks, _hidden_text_remark(path, encoding))
        found = symbols(text, max(0, MAX_TOKENS - len(codes)))
        starts.append(len(codes))
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        files.append(File(printable_path(path), tuple(text.split("\n")), roles.get(path, Role.USED), digest))
        codes += found.codes + BREAK
        lines += [*found.lines, 0]
        if not (complete and found.complete):
            file = printable_path(path)
            remarks = (*remarks, say("{file} is too large: only the beginning was read.", file=file))
            break
    return Document(
        id=id_,
        name=id_,
        files=tuple(files),
        starts=tuple(starts),
        codes=bytes(codes),
        lines=tuple(lines),
        grams={at: gram for at, gram in fingerprints(bytes(codes)).items() if BREAK not in gram},
        remarks=remarks,
    )


def _hidden_text_remark(path: Path, encoding: str) -> Message:
    return say(
        "{file} declares the encoding {encoding}, which can hide its text: look at it yourself.",
        file=printable_path(path),
        encoding=encoding[:60],
    )


def _read_text(path: Path, limit: int) -> tuple[str, bool]:
    r"""The text of a file in any encoding, with `\n` as line ending, and whether it is complete."""
    most = MAX_NOTEBOOK if is_notebook(path) else limit
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        reason = str(error.strerror)
        raise IntakeError(
            say("{file} cannot be read: {reason}. Check its permissions.", file=str(path), reason=reason)
        ) from error
    complete, data = len(data) <= most, data[:most]
    if is_notebook(path):
        text = _notebook_text(data)
        return text[:limit], complete and len(text) <= limit
    text = decode_text(data, "latin-1")  # accepts any bytes, and is what old editors write
    return text.replace("\r\n", "\n").replace("\r", "\n"), complete


def _notebook_text(data: bytes) -> str:
    """The code of a notebook, cell by cell; empty if it is not valid, because students can put anything into it."""
    try:
        return "\n\n".join(cell.text for cell in code_cells(data))
    except (ValueError, RecursionError):
        return ""
