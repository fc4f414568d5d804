"""Tables for the terminal: one place lays them out, in as many columns as there is room for.

A report is a sequence of blocks, texts and tables. Only the command line knows the width of the terminal and whether it has
colours, and cleans each text before it adds any.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import zip_longest
from typing import TypeAlias

from rich.cells import cell_len

from grader.language import Language

_GAP = "  "
_NARROWEST = 12
"""Words are not broken into parts shorter than this while a column can be left out."""
_HARDEST = 5
"""No column is ever made narrower than this."""
_BREAK = re.compile(r"[^\s(,=/_.:–-]*[(,=/_.:–-]?|\s+")
"""The parts of a text between which a line may be broken, if breaking at spaces does not suffice."""


class Tone(Enum):
    """What a cell means, which decides its colour."""

    PLAIN = ""
    GOOD = "green"
    BAD = "red"
    WARNING = "yellow"
    HEAD = "bold"


@dataclass(frozen=True, slots=True)
class TableCell:
    """A text in a table, with what it means."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column, its alignment, and what happens to it if there is not enough room."""

    head: str
    wraps: bool = False
    """Whether its texts may be wrapped. A head always is."""
    right: bool = False
    leave_out: int = 0
    """Columns with the highest number are left out first if the terminal is too narrow; 0 is for those that never are."""


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows. A row has a text or a `TableCell` for each column."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str | TableCell, ...], ...]
    has_heads: bool = True
    too_wide: str | None = None
    """What is shown instead if the table does not fit without breaking words; None to break them."""


Report: TypeAlias = Sequence[str | Table]
"""Blocks of text and tables, to be shown with an empty line between them."""
Paint = Callable[[str, Tone], str]
"""Colours a text."""


def make_table(
    columns: Sequence[Column | str],
    rows: Sequence[Sequence[str | int | TableCell] | Sequence[str | TableCell] | Sequence[str]],
) -> Table:
    """A table; a head alone is a column that is aligned left and always shown."""
    return Table(
        tuple(column if isinstance(column, Column) else Column(column) for column in columns),
        tuple(tuple(cell if isinstance(cell, TableCell) else str(cell) for cell in row) for row in rows),
    )


def result_tone(winner: int | None, seat: int) -> Tone:
    """What the result of a game means for one of its seats."""
    return Tone.PLAIN if winner is None else Tone.GOOD if winner == seat else Tone.BAD


def plain_text(report: Report) -> str:
    """A report as it is printed where there is no terminal: tables are as wide as they need to be."""
    return "\n\n".join(block if isinstance(block, str) else lay_out(block) for block in report)


def lay_out(
    table: Table,
    width: int | None = None,
    speak: Language | None = None,
    *,
    clean: Callable[[str], str] = str,
    paint: Paint = lambda text, _: text,
) -> str:
    """A table in lines of at most `width` characters.

    Long texts are wrapped; if that is not enough, columns are left out, which a last line says. `clean` is applied to each text
    before anything else, and `paint` to each line of a cell.
    """
    cells = [[_cell(cell, clean) for cell in row] for row in table.rows]
    heads = [TableCell(clean(column.head), Tone.HEAD) for column in table.columns]
    shown = list(range(len(heads)))
    widths: list[int] | None = _natural(heads, cells, shown)
    if width is not None:
        while (widths := _fitted(table, heads, cells, shown, width)) is None:
            last = max(shown, key=lambda at: table.columns[at].leave_out)
            if not table.columns[last].leave_out:
                break
            shown.remove(last)
        if widths is None and table.too_wide is not None:
            return clean(table.too_wide)
        widths = widths or _fitted(table, heads, cells, shown, width, hard=True)
    assert widths is not None
    lines: list[str] = []
    if table.has_heads:
        lines += _row_lines(table, heads, shown, widths, paint)
        lines.append(_GAP.join("-" * size for size in widths))
    for row in cells:
        lines += _row_lines(table, row, shown, widths, paint)
    if width is not None and len(shown) < len(heads) and speak is not None:
        names = ", ".join(head.text for at, head in enumerate(heads) if at not in shown)
        lines += _wrap(speak.say("(not shown, for lack of room: {names})", names=names), width)
    return "\n".join(lines)


def _cell(cell: str | TableCell, clean: Callable[[str], str]) -> TableCell:
    return replace(cell, text=clean(cell.text)) if isinstance(cell, TableCell) else TableCell(clean(cell))


def _natural(heads: Sequence[TableCell], rows: Sequence[Sequence[TableCell]], shown: Sequence[int]) -> list[int]:
    return [max(_width(row[at].text) for row in (heads, *rows)) for at in shown]


def _fitted(
    table: Table,
    heads: Sequence[TableCell],
    rows: Sequence[Sequence[TableCell]],
    shown: Sequence[int],
    width: int,
    *,
    hard: bool = False,
) -> list[int] | None:
    """The widths of columns such that a line fits, the widest columns being wrapped; None if that is not possible.

    With `hard`, any text is broken, and a line may still be too long.
    """
    widths = _natural(heads, rows, shown)
    cells = [max((_width(row[at].text) for row in rows), default=0) for at in shown]
    words = [max((_longest_word(row[at].text) for row in rows), default=0) for at in shown]
    head_words = [max(_longest_word(heads[at].text), 1) for at in shown]
    wrapped = [word if table.columns[at].wraps else cell for at, cell, word in zip(shown, cells, words, strict=True)]
    room = width - len(_GAP) * (len(shown) - 1)
    steps = [list(map(max, head_words, cells)), list(map(max, head_words, wrapped))]  # heads are wrapped first
    for least in [*steps, *([[_HARDEST] * len(shown)] if hard else [])]:
        while sum(widths) > room and any(map(int.__gt__, widths, least)):
            wide = [at for at, size in enumerate(widths) if size > least[at]]
            widths[max(wide, key=widths.__getitem__)] -= 1
    return widths if hard or sum(widths) <= room else None


def _longest_word(text: str) -> int:
    """The length of the longest word that is not broken."""
    return min(max(map(cell_len, text.split()), default=0), _NARROWEST)


def _row_lines(
    table: Table, row: Sequence[TableCell], shown: Sequence[int], widths: Sequence[int], paint: Paint
) -> Iterator[str]:
    wrapped = [_wrap(row[at].text, size) for at, size in zip(shown, widths, strict=True)]
    for line in zip_longest(*wrapped, fillvalue=""):
        parts = []
        for at, size, text in zip(shown, widths, line, strict=True):
            space = " " * (size - cell_len(text))
            painted = paint(text, row[at].tone) if text else ""
            parts.append(space + painted if table.columns[at].right else painted + space)
        yield _GAP.join(parts).rstrip()


def _wrap(text: str, width: int) -> list[str]:
    """The lines of a text, broken at spaces, else at punctuation, else anywhere."""
    return [part for line in text.split("\n") for part in _wrap_line(line, width)]


def _wrap_line(line: str, width: int) -> list[str]:
    lines = [""]
    for word in re.findall(r"\s+|\S+", line):
        pieces = [word] if cell_len(word) <= width else _BREAK.findall(word)
        for piece in pieces:
            if cell_len(lines[-1]) + cell_len(piece) > width:
                lines[-1] = lines[-1].rstrip()
                lines.append("")
                piece = piece.lstrip()
            for letter in [piece] if cell_len(piece) <= width else piece:
                if cell_len(lines[-1]) + cell_len(letter) > width:
                    lines.append("")
                lines[-1] += letter
    lines[-1] = lines[-1].rstrip()
    return [text for text in lines if text] or [""]


def _width(text: str) -> int:
    return max(map(cell_len, text.split("\n")))
