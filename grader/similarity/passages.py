"""Find the passages that two documents share, for a person to look at.

Every shared fingerprint is the seed of a passage, which grows to both sides as long as the symbols agree. Longer passages
are taken first, and no symbol is part of two.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from grader.similarity.documents import Document
from grader.similarity.fingerprints import GRAM, Gram
from grader.similarity.symbols import BREAK

MAX_REPEATS = 5
"""How many times a fingerprint is followed up where it repeats itself within a document, as it does in tables."""


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines of a file."""

    file: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Passage:
    """What stands in both documents, and where."""

    first: LineRange
    second: LineRange
    symbols: int
    """How long it is."""


@dataclass(frozen=True, slots=True)
class _Run:
    """As many symbols, from there in the one and from there in the other."""

    one: int
    other: int
    length: int


def passages(one: Document, other: Document, shared: Collection[Gram]) -> tuple[Passage, ...]:
    """What two documents share around these fingerprints, in the order of the first."""
    runs = sorted(_grow_runs(one, other, shared), key=lambda run: (-run.length, run.one, run.other))
    taken = (bytearray(len(one.codes)), bytearray(len(other.codes)))
    chosen = [piece for run in runs for piece in _take_free_part(run, *taken)]
    return tuple(
        Passage(_line_range(one, run.one, run.length), _line_range(other, run.other, run.length), run.length)
        for run in sorted(chosen, key=lambda run: run.one)
    )


def _grow_runs(one: Document, other: Document, shared: Collection[Gram]) -> Iterator[_Run]:
    """Every seed as long as it gets, and each run once."""
    places = _gram_positions(one, shared), _gram_positions(other, shared)
    reached: dict[int, int] = {}
    """How far the last run came, for each distance between the two places: seeds before that are part of it."""
    seeds = sorted((here, there) for gram in places[0] for here in places[0][gram] for there in places[1][gram])
    for here, there in seeds:
        if here >= reached.get(there - here, 0):
            run = _extend(one.codes, other.codes, here, there)
            reached[there - here] = run.one + run.length
            yield run


def _gram_positions(document: Document, shared: Collection[Gram]) -> dict[Gram, list[int]]:
    found: dict[Gram, list[int]] = defaultdict(list)
    for at, gram in document.grams.items():
        if gram in shared and len(found[gram]) < MAX_REPEATS:
            found[gram].append(at)
    return found


def _extend(one: bytes, other: bytes, here: int, there: int) -> _Run:
    start = 0
    while start < min(here, there) and one[here - start - 1] == other[there - start - 1] != BREAK[0]:
        start += 1
    end = GRAM
    while here + end < len(one) and there + end < len(other) and one[here + end] == other[there + end] != BREAK[0]:
        end += 1
    return _Run(here - start, there - start, start + end)


def _take_free_part(run: _Run, taken: bytearray, taken_there: bytearray) -> Iterator[_Run]:
    """The longest stretch of a run of which nothing is taken yet, if it is long enough to count; then it is taken."""
    best, start = (0, 0), 0
    for at in range(run.length + 1):
        if at == run.length or taken[run.one + at] or taken_there[run.other + at]:
            best = max(best, (at - start, -start))
            start = at + 1
    length, start = best[0], -best[1]
    if length >= GRAM:
        free = _Run(run.one + start, run.other + start, length)
        taken[free.one : free.one + length] = taken_there[free.other : free.other + length] = bytes([1]) * length
        yield free


def _line_range(document: Document, start: int, length: int) -> LineRange:
    file, first = document.locate(start)
    _, last = document.locate(start + length - 1)
    return LineRange(document.files[file].name, first, last)
