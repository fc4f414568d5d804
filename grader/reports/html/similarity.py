"""`similarity.html`: the sources of each pair side by side, with what they share marked."""

from dataclasses import dataclass

from grader.language import Language
from grader.reports import similarity as report
from grader.reports.html import page
from grader.similarity import Comparison, SimilarPair
from grader.similarity.documents import Document
from grader.similarity.passages import LineRange

CONTEXT = 4
"""Lines that are shown before and behind a passage."""
MAX_LINES = 1_500
"""Of one side of a pair."""
MAX_LENGTH = 400
"""Of one line."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a source, or of a stretch that is left out."""

    number: int
    text: str = ""
    passage: int | None = None
    """Which passage it is part of, counted from 1."""
    begins: bool = False
    """It is the first line of that passage."""
    skipped: int = 0
    """How many lines are left out here."""


@dataclass(frozen=True, slots=True)
class Side:
    """One file of one side."""

    file: str
    rows: list[Row]


def render(comparison: Comparison, speak: Language) -> str:
    """The page."""
    views = [_view(match, number) for number, match in enumerate((*comparison.pairs, *comparison.references), start=1)]
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


def _view(match: SimilarPair, number: int) -> dict[str, object]:
    return {
        "number": number,
        "match": match,
        "names": (report.document_name(match.first), report.document_name(match.second)),
        "lines": [report.passage_lines(passage) for passage in match.passages],
        "sides": (
            _sides(match.first, [passage.first for passage in match.passages]),
            _sides(match.second, [passage.second for passage in match.passages]),
        ),
    }


def _sides(document: Document, places: list[LineRange]) -> list[Side]:
    """The files of a document in which there are passages, as far as there is room."""
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
    """The lines of a file in and around its passages, and how many are left out between."""
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
        shown = text if len(text) <= MAX_LENGTH else text[: MAX_LENGTH - 1] + "…"
        rows.append(Row(number, shown, own, own is not None and passage.get(number - 1) != own))
    return [*rows, Row(len(lines) - skipped + 1, skipped=skipped)] if skipped else rows
