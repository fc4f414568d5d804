"""`similarity.html`: the groups, and the code of each pair side by side, with the shared passages marked."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from grader.language import Language, Message
from grader.reports import similarity as report
from grader.reports.html import page
from grader.reports.html.student import shorten
from grader.similarity import Comparison, SimilarGroup, SimilarPair
from grader.similarity.documents import Document
from grader.similarity.passages import LineRange

CONTEXT = 4
"""How many lines are shown before and after a passage."""
MAX_LINES = 1_500
"""How many lines of each submission of a pair are shown."""
MAX_LENGTH = 400
"""How many characters of a line are shown."""
MAX_MATRIX = 25
"""The most members of a group for which there is a matrix."""


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


@dataclass(frozen=True, slots=True)
class PairView:
    """A pair, side by side."""

    number: int
    """Unique on the page."""
    pair: SimilarPair
    names: tuple[str, str]
    sides: tuple[list[Side], list[Side]]

    @property
    def remarks(self) -> tuple[Message, ...]:
        """Its remarks, and how many other sources are similar."""
        return report.pair_remarks(self.pair)

    @property
    def lines(self) -> list[str]:
        """The lines of its passages."""
        return [report.passage_lines(passage) for passage in self.pair.passages]


@dataclass(frozen=True, slots=True)
class OverlapCell:
    """How much of one member's code another one has."""

    share: float
    shade: int
    """From 0 to 10."""
    view: int | None
    """The number of the pair, if it is shown side by side."""


@dataclass(frozen=True, slots=True)
class GroupView:
    """A group with its pairs."""

    group: SimilarGroup
    names: list[str]
    remarks: tuple[Message, ...]
    cells: list[list[OverlapCell | None]]
    """The share of each member's code (row) that each member has (column); none if that says nothing more."""
    pairs: list[PairView]

    @property
    def members(self) -> Iterator[tuple[str, float, int]]:
        """The name of each member, how much of its code another one has, and the number of a pair that shows it."""
        for number, (name, document) in enumerate(zip(self.names, self.group.members, strict=True)):
            pairs = [view for view in self.pairs if document in (view.pair.first, view.pair.second)]
            yield name, self.group.share_of(number), (pairs or self.pairs)[0].number


def render(comparison: Comparison, speak: Language) -> str:
    """The page."""
    numbers = count(1)
    return page(
        "similarity.html.j2",
        speak,
        title=speak.say("Shared code"),
        styles=("similarity.css",),
        scripts=("similarity.js",),
        hint=report.HINT,
        remarks=report.remarks(comparison),
        groups=[_group(group, numbers) for group in comparison.groups],
        sections=[
            (section.title, [_view(pair, numbers) for pair in section.pairs])
            for section in report.source_sections(comparison)
        ],
        shipped=report.shipped_rows(comparison),
    )


def _group(group: SimilarGroup, numbers: Iterator[int]) -> GroupView:
    pairs = [_view(pair, numbers) for pair in group.pairs]
    shown = {frozenset((view.pair.first.id, view.pair.second.id)): view.number for view in pairs}
    useful = 2 < len(group.members) <= MAX_MATRIX and not group.has_same_code
    cells = [
        [
            OverlapCell(share, round(share * 10), shown.get(frozenset((own.id, other.id))))
            if own is not other
            else None
            for other, share in zip(group.members, row, strict=True)
        ]
        for own, row in zip(group.members, group.shares, strict=True)
    ]
    names = [report.document_name(document) for document in group.members]
    return GroupView(group, names, report.group_remarks(group), cells if useful else [], pairs)


def _view(pair: SimilarPair, numbers: Iterator[int]) -> PairView:
    return PairView(
        next(numbers),
        pair,
        (report.document_name(pair.first), report.document_name(pair.second)),
        (
            _sides(pair.first, [passage.first for passage in pair.passages]),
            _sides(pair.second, [passage.second for passage in pair.passages]),
        ),
    )


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
