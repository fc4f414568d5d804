"""Read and fill a CSV file of another program: cells that are not changed stay the same, byte for byte."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from grader.errors import GraderError
from grader.language import say

MAX_BYTES = 20_000_000
_ENCODINGS = ("utf-8", "cp1252", "latin-1")
_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_HINT = say("Give the file as it was downloaded, or saved as CSV in UTF-8.")


class SheetError(GraderError, ValueError):
    """The file that an export should fill is not what it must be."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One record, with its cells as they are written."""

    line: int
    raw: tuple[str, ...]
    end: str
    """How it ends: a line break of some kind, or nothing."""

    @property
    def cells(self) -> tuple[str, ...]:
        """What the cells say."""
        return tuple(_unquote(cell) for cell in self.raw)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with the manner in which it is written."""

    file: str
    mark: bytes
    """The byte order mark, if there is one."""
    encoding: str
    separator: str
    rows: tuple[SheetRow, ...]
    """Those that say something; the first is the header."""

    @property
    def header(self) -> tuple[str, ...]:
        """The titles of the columns."""
        return self.rows[0].cells

    def column(self, at: int) -> list[str]:
        """What a column says below its title."""
        return [row.cells[at].strip() if at < len(row.raw) else "" for row in self.rows[1:]]

    def fill(self, cells: Mapping[tuple[int, int], str]) -> "Sheet":
        """The same with other cells; a key is the row, where 0 is the header, and the column."""
        rows = []
        for number, row in enumerate(self.rows):
            raw = list(row.raw)
            for at in range(len(raw)):
                if (number, at) in cells:
                    raw[at] = _quote(cells[number, at], self.separator, always=raw[at].startswith('"'))
            rows.append(replace(row, raw=tuple(raw)))
        return replace(self, rows=tuple(rows))

    def select_columns(self, columns: list[int]) -> "Sheet":
        """The same with these columns alone."""
        rows = [replace(row, raw=tuple(row.raw[at] for at in columns if at < len(row.raw))) for row in self.rows]
        return replace(self, rows=tuple(rows))

    def to_bytes(self) -> bytes:
        """The file. Only what we put in can be beyond its encoding, and that is HTML or numbers."""
        text = "".join(self.separator.join(row.raw) + row.end for row in self.rows)
        return self.mark + text.encode(self.encoding, "xmlcharrefreplace")


def read_sheet(data: bytes, file: str) -> Sheet:
    """The table in a file's bytes. Raises `SheetError` where it is none."""
    if len(data) > MAX_BYTES:
        raise SheetError(
            say(
                "{file}: it is larger than {size} MB, which no list of grades is.",
                file=file,
                size=MAX_BYTES // 1_000_000,
            )
        )
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    text, encoding = _decode(data[len(mark) :], _MARKS.get(mark), file)
    if _CONTROL.search(text):
        raise SheetError(say("{file}: it is no CSV but something else. {hint}", file=file, hint=_HINT))
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(",;\t", key=first.count)
    rows = tuple(_parse_rows(text, separator, file))
    if len(rows) < 2:
        raise SheetError(say("{file}: expected a header and a line for each student; found no such lines.", file=file))
    return Sheet(file, mark, encoding, separator, rows)


def _decode(data: bytes, encoding: str | None, file: str) -> tuple[str, str]:
    for name in (encoding,) if encoding else _ENCODINGS:
        try:
            return data.decode(name), name
        except UnicodeDecodeError:
            continue
    raise SheetError(
        say("{file}: it cannot be read as {encoding}. {hint}", file=file, encoding=encoding or "", hint=_HINT)
    )


def _parse_rows(text: str, separator: str, file: str) -> list[SheetRow]:
    cell = re.compile(rf'("[^"]*(?:""[^"]*)*"|[^"{separator}\r\n][^{separator}\r\n]*|)({separator}|\r\n|\r|\n|\Z)')
    rows: list[SheetRow] = []
    raw: list[str] = []
    at, line, began = 0, 1, 1
    while at < len(text):
        match = cell.match(text, at)
        if match is None:
            raise SheetError(
                say(
                    "{file}:{line}: a quotation mark here is not closed, or not doubled. {hint}",
                    file=file,
                    line=line,
                    hint=_HINT,
                )
            )
        raw.append(match[1])
        at = match.end()
        line += len(re.findall(r"\r\n|\r|\n", match[0]))
        if match[2] != separator:
            rows.append(SheetRow(began, tuple(raw), match[2]))
            raw, began = [], line
    if raw:  # the text ends behind a separator
        rows.append(SheetRow(began, (*raw, ""), ""))
    return [row for row in rows if any(cell.strip() for cell in row.cells)]


def _unquote(raw: str) -> str:
    return raw[1:-1].replace('""', '"') if raw.startswith('"') else raw


def _quote(text: str, separator: str, *, always: bool) -> str:
    if always or re.search(rf'[{separator}"\r\n]|^\s|\s$', text):
        return '"' + text.replace('"', '""') + '"'
    return text
