"""Read the list of students from a CSV file of a spreadsheet or platform, with any separator, encoding or header."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.intake.files import UTF16, decode_text
from grader.intake.names import printable, safe_id
from grader.intake.submission import IntakeError
from grader.language import say

MAX_BYTES = 10_000_000
_IDS = (
    *("id", "identifier", "identificador", "sid", "student id", "student_id", "carnet", "carné", "matricula"),
    *("matrícula", "username", "usuario", "login", "login id", "sis login id", "número de id", "id number", "dni"),
    *("email", "e-mail", "email address", "correo", "correo electrónico", "dirección de correo"),
)
"""Headers of a column with ids, the most reliable first."""
_NAMES = ("name", "full name", "nombre completo", "student", "student name", "estudiante", "alumno", "alumna")
_FIRST_NAMES = ("first name", "firstname", "given name", "nombre", "nombres")
_LAST_NAMES = ("last name", "lastname", "surname", "family name", "apellido", "apellidos", "apellido(s)")
_ID_SIGNS: tuple[Callable[[str], bool], ...] = (
    lambda text: any(map(str.isdigit, text)),
    lambda text: "@" in text,
)
"""What the ids of students have in common, and the title of their column usually lacks."""
_NAME_SIGNS: tuple[Callable[[str], bool], ...] = (
    lambda text: text != text.lower(),
    lambda text: " " in text,
)
"""The same for names."""
_MOST_CELLS = 8
"""The most cells of a line that a message shows."""


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A student who is expected to submit."""

    id: str
    """The id that the submission will have."""
    name: str


@dataclass(frozen=True, slots=True)
class _Columns:
    id: int
    names: tuple[int, ...]


def read_roster(path: Path) -> tuple[RosterEntry, ...]:
    """The students on a roster, in its order. Raises `IntakeError` with the line if it cannot be read."""
    rows = list(_rows(path))
    if not rows:
        raise IntakeError(say("{path}: the roster is empty; write one line per student, `id,name`.", path=str(path)))
    header = _header(rows[0][1])
    if header is None and _is_unlike_the_others([row for _, row in rows]):
        raise _unknown_header(path, *rows[0])
    columns = header or _Columns(0, (1,))
    entries: dict[str, RosterEntry] = {}
    lines: dict[str, int] = {}
    for line, row in rows[1:] if header else rows:
        if row[0].strip().lower() == "points possible":  # Canvas writes this below its header
            continue
        entry = _entry(path, line, row, columns)
        key = entry.id.casefold()
        if key in entries:
            raise IntakeError(
                say(
                    "{path}:{line}: the id {id} is already on line {other}. Remove one of them.",
                    path=str(path),
                    line=line,
                    id=entry.id,
                    other=lines[key],
                )
            )
        entries[key], lines[key] = entry, line
    if not entries:
        raise IntakeError(say("{path}: there are no students below the header.", path=str(path)))
    return tuple(entries.values())


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not blank, with their numbers."""
    text = _text(path)
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as error:
        raise IntakeError(
            say(
                "{path}:{line}: invalid CSV: {problem}.",
                path=str(path),
                line=reader.line_num,
                problem=str(error),
            )
        ) from error


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise IntakeError(
                say(
                    "{path}: too large for a roster (more than {size} MB).",
                    path=str(path),
                    size=MAX_BYTES // 1_000_000,
                )
            )
        data = path.read_bytes()
    except OSError as error:
        raise IntakeError(
            say("{path}: the roster cannot be read: {problem}.", path=str(path), problem=str(error.strerror))
        ) from error
    if b"\0" in data and not data.startswith(UTF16):
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise IntakeError(
            say(
                "{path}:{line}: not a CSV file (it contains a NUL byte). Save the table as CSV in UTF-8.",
                path=str(path),
                line=line,
            )
        )
    return decode_text(data, "cp1252", "latin-1")


def _header(row: Sequence[str]) -> _Columns | None:
    """The columns of ids and names if the first line is a header, else None."""
    titles = [" ".join(cell.lower().replace("*", "").split()) for cell in row]
    ids = [titles.index(title) for title in _IDS if title in titles]
    full = [titles.index(title) for title in _NAMES if title in titles]
    parts = [at for group in (_FIRST_NAMES, _LAST_NAMES) for at, title in enumerate(titles) if title in group]
    if not ids and not full and not parts:
        return None
    names = tuple(full[:1] or parts)
    others = [at for at in range(len(row)) if at not in names]
    return _Columns((ids or others or [0])[0], names)


def _is_unlike_the_others(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first line looks like a header, because all other lines have something in common that it lacks."""
    (first_id, first_name), *others = [(row[0].strip(), row[1].strip() if len(row) > 1 else "") for row in rows]
    names = [name for _, name in others]
    return (
        any(others and not sign(first_id) and all(sign(id_) for id_, _ in others) for sign in _ID_SIGNS)
        or any(len(names) > 1 and not sign(first_name) and all(map(sign, names)) for sign in _NAME_SIGNS)
    )  # fmt: skip


def _unknown_header(path: Path, line: int, row: Sequence[str]) -> IntakeError:
    return IntakeError(
        say(
            "{path}:{line}: unknown header {header}. Name the column of ids 'id' and the column of names 'name'. Other headers "
            "for ids: {ids}; for names: {names}. If this line is a student, write 'id,name' above it.",
            path=str(path),
            line=line,
            header=", ".join(repr(printable(cell.strip())) for cell in row[:_MOST_CELLS]),
            ids=", ".join(_IDS[1:]),
            names=", ".join((*_NAMES[1:], *_FIRST_NAMES, *_LAST_NAMES)),
        )
    )


def _entry(path: Path, line: int, row: Sequence[str], columns: _Columns) -> RosterEntry:
    raw = row[columns.id].strip() if columns.id < len(row) else ""
    name = " ".join(row[at].strip() for at in columns.names if at < len(row)).strip()
    if not raw:
        raise IntakeError(
            say(
                "{path}:{line}: no id in column {column} for {name}.",
                path=str(path),
                line=line,
                column=columns.id + 1,
                name=repr(name),
            )
        )
    # Moodle's worksheet has `Participant 123`, in any language; its folders have only the number.
    participant = re.fullmatch(r"[^\W\d]+ (\d+)", raw)
    raw = participant[1] if participant else raw
    return RosterEntry(safe_id(raw), printable(name) or printable(raw))
