"""Find submissions that share code: a hint for a person, never a verdict.

Each submission becomes a set of fingerprints (`symbols`, `fingerprints`). Those of the hand-out count for nothing, nor, between
two students, do those of the reference players, or what most of a large class has written. Who shares what is read from an
index of fingerprints, so that the cost grows with what is shared and not with the number of pairs.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from grader.language import Message, say
from grader.similarity.documents import Document
from grader.similarity.fingerprints import Gram
from grader.similarity.passages import Passage, passages

MOST_OF_THE_CLASS = 0.5
SMALL_CLASS = 10
"""What no more submissions than this have is never taken for common, however small the class: they may have copied it."""
MIN_SHARED = 8
"""Fingerprints: about seven lines. What is shared of less is a matter of chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPair:
    """Two that share code: two submissions, or a submission and a reference player."""

    first: Document
    second: Document
    share_of_first: float
    """How much of the first is in the second, 0 to 1, in fingerprints."""
    share_of_second: float
    """The same the other way round; of a reference player, of its own file or with all that it uses, whichever is more."""
    shared: int
    """How many fingerprints both have."""
    passages: tuple[Passage, ...]
    remarks: tuple[Message, ...] = ()

    @property
    def share(self) -> float:
        """The larger of both shares: who copies a part hides nothing by writing more beside it."""
        return max(self.share_of_first, self.share_of_second)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What came out for a class."""

    submissions: tuple[Document, ...]
    pairs: tuple[SimilarPair, ...]
    """The pairs of submissions that share most, in that order."""
    references: tuple[SimilarPair, ...]
    """The submissions that share most with a reference player, which is the second of each."""
    at_least: float
    more: int
    """How many further pairs share as much as was asked for, and are not listed."""
    common: int
    """Fingerprints that count for nothing because most of the class has them."""
    short: tuple[str, ...]
    """The submissions of which too little is their own to be compared, apart from those of which more is remarked."""


def compare(
    submissions: Sequence[Document],
    *,
    handout: Iterable[Document] = (),
    references: Sequence[Document] = (),
    at_least: float = 0.3,
    most: int = 50,
) -> Comparison:
    """The pairs that share at least that part of either, at most so many of them."""
    given = {gram for document in handout for gram in document.grams.values()}
    known = {gram for document in references for gram in document.grams.values()}
    written = [frozenset(document.grams.values()) - given for document in submissions]
    common = _common_grams(written)
    own = [grams - known - common for grams in written]
    pairs = _rank_pairs(submissions, own, at_least)
    return Comparison(
        submissions=tuple(submissions),
        pairs=tuple(
            _compare_pair(submissions[one], submissions[other], own[one], own[other]) for one, other in pairs[:most]
        ),
        references=tuple(_compare_with_references(submissions, written, references, given, at_least)),
        at_least=at_least,
        more=max(0, len(pairs) - most),
        common=len(common),
        short=tuple(
            document.id
            for document, grams in zip(submissions, written, strict=True)
            if len(grams) < MIN_SHARED and not document.remarks
        ),
    )


def _common_grams(written: Sequence[frozenset[Gram]]) -> frozenset[Gram]:
    """What most of the class has. Those who have the very same count once: a ring of copies is not the class."""
    different = set(written)
    holders = Counter(gram for grams in different for gram in grams)
    limit = max(SMALL_CLASS, MOST_OF_THE_CLASS * len(different))
    return frozenset(gram for gram, count in holders.items() if count > limit)


def _rank_pairs(
    submissions: Sequence[Document], own: Sequence[frozenset[Gram]], at_least: float
) -> list[tuple[int, int]]:
    """The pairs that share enough and those with the very same files, those that share most first."""
    shared = _count_shared(own)

    def share(pair: tuple[int, int]) -> float:
        return shared[pair] / max(1, min(len(own[number]) for number in pair))

    found = {pair for pair, count in shared.items() if count >= MIN_SHARED and share(pair) >= at_least}
    return sorted(found | _same_files(submissions), key=lambda pair: (-share(pair), -shared[pair], pair))


def _count_shared(own: Sequence[frozenset[Gram]]) -> Counter[tuple[int, int]]:
    """How many fingerprints each pair has in common, of those that have any."""
    holders: dict[Gram, list[int]] = defaultdict(list)
    for number, grams in enumerate(own):
        for gram in grams:
            holders[gram].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for together, count in Counter(map(tuple, holders.values())).items():
        for pair in combinations(together, 2):
            shared[pair] += count
    return shared


def _same_files(submissions: Sequence[Document]) -> set[tuple[int, int]]:
    same: dict[str, list[int]] = defaultdict(list)
    for number, document in enumerate(submissions):
        if document.codes:
            same[document.contents].append(number)
    return {pair for numbers in same.values() for pair in combinations(numbers, 2)}


def _compare_pair(one: Document, other: Document, grams: frozenset[Gram], others: frozenset[Gram]) -> SimilarPair:
    shared = grams & others
    remarks = []
    if one.contents and one.contents == other.contents:
        remarks.append(say("the same files"))
    if set(one.members) & set(other.members):
        remarks.append(say("members of one group"))
    return SimilarPair(
        first=one,
        second=other,
        share_of_first=len(shared) / max(1, len(grams)),
        share_of_second=len(shared) / max(1, len(others)),
        shared=len(shared),
        passages=passages(one, other, shared),
        remarks=tuple(remarks),
    )


def _compare_with_references(
    submissions: Sequence[Document],
    written: Sequence[frozenset[Gram]],
    references: Sequence[Document],
    given: set[Gram],
    at_least: float,
) -> list[SimilarPair]:
    """For each submission the reference player that it shares most with, if that is enough."""
    theirs = [frozenset(reference.grams.values()) - given for reference in references]
    found = []
    for document, grams in zip(submissions, written, strict=True):
        counts = [len(grams & known) for known in theirs]
        best = max(range(len(theirs)), key=lambda at: (counts[at], -len(theirs[at])), default=None)
        if best is not None and counts[best] >= MIN_SHARED:
            match = _compare_pair(document, references[best], grams, theirs[best])
            own = references[best].grams_of(0) - given
            if (copied := len(grams & own)) >= MIN_SHARED:  # all of a player is much, though it shares more with others
                match = replace(match, share_of_second=max(match.share_of_second, copied / len(own)))
            found += [match] if match.share >= at_least else []
    return sorted(found, key=lambda match: (-match.share, -match.shared, match.first.id))
