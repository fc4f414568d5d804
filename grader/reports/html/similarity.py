"""`similarity.html`: the code of each pair side by side, with the shared passages marked."""

from dataclasses import dataclass

from grader.language import Language
from grader.reports import similarity as report
from grader.reports.html import page
from grader.reports.html.student import shorten
from grader.similarity import Comparison, SimilarPair
from grader.similarity.documents import Document
from grader.similarity.passages import LineRange

CONTEXT = 4
"""How many lines are shown before and after a passage."""
MAX_LINES = 1_500
"""How many lines of each submission of a pair are shown."""
MAX_LENGTH = 400
"""How many characters of a line are shown."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of code, or a gap where lines are omitted."""

    number: int
    text: str = ""
    passage: int | None = None
    """The number of the passage that it is part of, from 1."""
    begins: bool = False
    """Whether it is the first line of that passage."""
    skipped: int = 0
    """How many lines are omitted here."""


@dataclass(frozen=True, slots=True)
class Side:
    """One file of one submission of a pair."""

    file: str
    rows: list[Row]


def render(comparison: Comparison, speak: Language) -> str:
    """The page."""
    views = [_view(pair, number) for number, pair in enumerate((*comparison.pairs, *comparison.references), start=1)]
    pairs = len(comparison.pairs)
    return page(
        "similarity.html.j2",
        speak,
        title=speak.say("Shared code"),
        styles=("similarity.css",),
        hint=report.HINT,
        remarks=report.remarks(comparison),
        pairs=views[:pairs],
        references=views[pairs:],
    )


def _view(pair: SimilarPair, number: int) -> dict[str, object]:
    return {
        "number": number,
        "pair": pair,
        "names": (report.document_name(pair.first), report.document_name(pair.second)),
        "lines": [report.passage_lines(passage) for passage in pair.passages],
        "sides": (
            _sides(pair.first, [passage.first for passage in pair.passages]),
            _sides(pair.second, [passage.second for passage in pair.passages]),
        ),
    }


def _sides(document: Document, places: list[LineRange]) -> list[Side]:
    """The files of a document that contain passages, up to the maximum number of lines."""
    room = MAX_LINES
    sides = []
    for file in document.files:
        own = {number: place for number, place in enumerate(places, start=1) if place.file == file.name}
        if own and room > 0:
            rows = _rows(file.lines, own)[:room]
            room -= len(rows)
            sides.append(Side(file.name, rows))
    return sides


def _rows(lines: tuple[str, ...], places: dict[int, LineRange]) -> list[Row]:
    """The lines of a file in and around its passages, and the gaps between them."""
    passage = {line: number for number, place in places.items() for line in range(place.first, place.last + 1)}
    near = {line + step for line in passage for step in range(-CONTEXT, CONTEXT + 1)}
    rows: list[Row] = []
    skipped = 0
    for number, text in enumerate(lines, start=1):
        if number not in near:
            skipped += 1
            continue
        if skipped:
            rows.append(Row(number - skipped, skipped=skipped))
            skipped = 0
        own = passage.get(number)
        rows.append(Row(number, shorten(text, MAX_LENGTH), own, own is not None and passage.get(number - 1) != own))
    return [*rows, Row(len(lines) - skipped + 1, skipped=skipped)] if skipped else rows
