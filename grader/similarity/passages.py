"""Find the passages that two documents share, for people to review.

Every shared fingerprint is the seed of a passage, which is extended on both sides as long as the symbols match. Longer
passages are chosen first, and no symbol belongs to two passages.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from grader.similarity.documents import Document
from grader.similarity.fingerprints import GRAM, Gram
from grader.similarity.symbols import BREAK

MAX_REPEATS = 5
"""How many occurrences of the same fingerprint in a document are used, because tables repeat them many times."""


@dataclass(frozen=True, slots=True)
class LineRange:
    """A range of lines in a file."""

    file: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that both documents contain, and where."""

    first: LineRange
    second: LineRange
    symbols: int
    """Its length."""


@dataclass(frozen=True, slots=True)
class _Run:
    """The same sequence of symbols in both documents, by its start in each."""

    first: int
    second: int
    length: int


def passages(first: Document, second: Document, shared: Collection[Gram]) -> tuple[Passage, ...]:
    """The passages that two documents share around these fingerprints, in the order of the first document."""
    runs = sorted(_grow_runs(first, second, shared), key=lambda run: (-run.length, run.first, run.second))
    taken = (bytearray(len(first.codes)), bytearray(len(second.codes)))
    chosen = [piece for run in runs for piece in _take_free_part(run, *taken)]
    return tuple(
        Passage(_line_range(first, run.first, run.length), _line_range(second, run.second, run.length), run.length)
        for run in sorted(chosen, key=lambda run: run.first)
    )


def _grow_runs(first: Document, second: Document, shared: Collection[Gram]) -> Iterator[_Run]:
    """Extend every seed as far as possible; yields each run once."""
    places = _gram_positions(first, shared), _gram_positions(second, shared)
    reached: dict[int, int] = {}
    """The end of the last run for each distance between the two places: earlier seeds are part of that run."""
    seeds = sorted((here, there) for gram in places[0] for here in places[0][gram] for there in places[1][gram])
    for here, there in seeds:
        if here >= reached.get(there - here, 0):
            run = _extend(first.codes, second.codes, here, there)
            reached[there - here] = run.first + run.length
            yield run


def _gram_positions(document: Document, shared: Collection[Gram]) -> dict[Gram, list[int]]:
    found: dict[Gram, list[int]] = defaultdict(list)
    for at, gram in document.grams.items():
        if gram in shared and len(found[gram]) < MAX_REPEATS:
            found[gram].append(at)
    return found


def _extend(first: bytes, second: bytes, here: int, there: int) -> _Run:
    start = 0
    while start < min(here, there) and first[here - start - 1] == second[there - start - 1] != BREAK[0]:
        start += 1
    end = GRAM
    while (
        here + end < len(first) and there + end < len(second) and first[here + end] == second[there + end] != BREAK[0]
    ):
        end += 1
    return _Run(here - start, there - start, start + end)


def _take_free_part(run: _Run, taken: bytearray, taken_there: bytearray) -> Iterator[_Run]:
    """Take the longest part of a run that is still free, if it is long enough to count."""
    best, start = (0, 0), 0
    for at in range(run.length + 1):
        if at == run.length or taken[run.first + at] or taken_there[run.second + at]:
            best = max(best, (at - start, -start))
            start = at + 1
    length, start = best[0], -best[1]
    if length >= GRAM:
        free = _Run(run.first + start, run.second + start, length)
        taken[free.first : free.first + length] = taken_there[free.second : free.second + length] = bytes([1]) * length
        yield free


def _line_range(document: Document, start: int, length: int) -> LineRange:
    file, first = document.locate(start)
    _, last = document.locate(start + length - 1)
    return LineRange(document.files[file].name, first, last)
