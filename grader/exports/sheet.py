"""Read and fill in a CSV file of another program. Unchanged cells stay the same, byte for byte."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from grader.errors import GraderError
from grader.language import say

MAX_BYTES = 20_000_000
_ENCODINGS = ("utf-8", "cp1252", "latin-1")
_BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_HINT = say("Use the file as you downloaded it, or save it as CSV in UTF-8.")


class SheetError(GraderError, ValueError):
    """The file to fill in does not have the expected format."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row, with its cells exactly as written in the file."""

    line: int
    raw: tuple[str, ...]
    end: str
    """The line break at its end, or an empty string."""

    @property
    def cells(self) -> tuple[str, ...]:
        """The values of the cells, without quotes."""
        return tuple(_unquote(cell) for cell in self.raw)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table, together with its encoding and separator."""

    file: str
    bom: bytes
    """The byte order mark, if there is one."""
    encoding: str
    separator: str
    rows: tuple[SheetRow, ...]
    """The rows that are not empty; the first is the header."""

    @property
    def header(self) -> tuple[str, ...]:
        """The titles of the columns."""
        return self.rows[0].cells

    def column(self, at: int) -> list[str]:
        """The values in a column, without its title."""
        return [row.cells[at].strip() if at < len(row.raw) else "" for row in self.rows[1:]]

    def fill(self, cells: Mapping[tuple[int, int], str]) -> "Sheet":
        """A copy with these cells replaced. A key is a row, where 0 is the header, and a column."""
        rows = []
        for number, row in enumerate(self.rows):
            raw = list(row.raw)
            for at in range(len(raw)):
                if (number, at) in cells:
                    raw[at] = _quote(cells[number, at], self.separator, always=raw[at].startswith('"'))
            rows.append(replace(row, raw=tuple(raw)))
        return replace(self, rows=tuple(rows))

    def select_columns(self, columns: list[int]) -> "Sheet":
        """A copy with only these columns."""
        rows = [replace(row, raw=tuple(row.raw[at] for at in columns if at < len(row.raw))) for row in self.rows]
        return replace(self, rows=tuple(rows))

    def to_bytes(self) -> bytes:
        """The content of the file. Characters outside its encoding occur only in our own HTML, so they become entities."""
        text = "".join(self.separator.join(row.raw) + row.end for row in self.rows)
        return self.bom + text.encode(self.encoding, "xmlcharrefreplace")


def read_sheet(data: bytes, file: str) -> Sheet:
    """Parse the content of a CSV file. Raises `SheetError` if it is not one."""
    if len(data) > MAX_BYTES:
        size = MAX_BYTES // 1_000_000
        raise SheetError(say("{file}: too large for a list of grades (more than {size} MB).", file=file, size=size))
    bom = next((bom for bom in _BYTE_ORDER_MARKS if data.startswith(bom)), b"")
    text, encoding = _decode(data[len(bom) :], _BYTE_ORDER_MARKS.get(bom), file)
    if _CONTROL.search(text):
        raise SheetError(say("{file}: this is not a CSV file. {hint}", file=file, hint=_HINT))
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(",;\t", key=first.count)
    rows = tuple(_parse_rows(text, separator, file))
    if len(rows) < 2:
        raise SheetError(say("{file}: expected a header and one line per student, found no students.", file=file))
    return Sheet(file, bom, encoding, separator, rows)


def _decode(data: bytes, encoding: str | None, file: str) -> tuple[str, str]:
    for name in (encoding,) if encoding else _ENCODINGS:
        try:
            return data.decode(name), name
        except UnicodeDecodeError:
            continue
    raise SheetError(
        say("{file}: cannot be decoded as {encoding}. {hint}", file=file, encoding=encoding or "", hint=_HINT)
    )


def _parse_rows(text: str, separator: str, file: str) -> list[SheetRow]:
    cell = re.compile(rf'("[^"]*(?:""[^"]*)*"|[^"{separator}\r\n][^{separator}\r\n]*|)({separator}|\r\n|\r|\n|\Z)')
    rows: list[SheetRow] = []
    raw: list[str] = []
    at, line, began = 0, 1, 1
    while at < len(text):
        match = cell.match(text, at)
        if match is None:
            raise SheetError(say("{file}:{line}: unbalanced quotation mark. {hint}", file=file, line=line, hint=_HINT))
        raw.append(match[1])
        at = match.end()
        line += len(re.findall(r"\r\n|\r|\n", match[0]))
        if match[2] != separator:
            rows.append(SheetRow(began, tuple(raw), match[2]))
            raw, began = [], line
    if raw:  # the text ends with a separator
        rows.append(SheetRow(began, (*raw, ""), ""))
    return [row for row in rows if any(cell.strip() for cell in row.cells)]


def _unquote(raw: str) -> str:
    return raw[1:-1].replace('""', '"') if raw.startswith('"') else raw


def _quote(text: str, separator: str, *, always: bool) -> str:
    if always or re.search(rf'[{separator}"\r\n]|^\s|\s$', text):
        return '"' + text.replace('"', '""') + '"'
    return text
