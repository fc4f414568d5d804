"""Groups of submissions that all share code with each other: four people with the same code are one group, not six pairs."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import product

from grader.similarity.documents import Document
from grader.similarity.pairs import Indices, RankedPairs, SimilarPair

MAX_PAIRS = 10
"""The most pairs of a group that are shown side by side: first those that hold it together. If all members have the same code,
only those are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarGroup:
    """Submissions that share code."""

    members: tuple[Document, ...]
    shares: tuple[tuple[float, ...], ...]
    """For each member, the share of its code that each member has."""
    has_same_code: bool
    """Whether all its members have all their own code in common."""
    pairs: tuple[SimilarPair, ...]
    """The most important of its pairs, first the closest one."""

    @property
    def is_copy(self) -> bool:
        """Whether its closest pair has whole files in common."""
        return self.pairs[0].is_copy

    def share_of(self, member: int) -> float:
        """The largest share of a member's code that another member has."""
        return max(share for other, share in enumerate(self.shares[member]) if other != member)


def group_pairs(ranked: RankedPairs, at_least: float) -> list[tuple[Indices, ...]]:
    """Divide pairs into groups, each given by its pairs in order of importance; the closest groups first.

    Two groups are joined by a pair only if their members share `at_least` this much on average: otherwise a chain of weak
    similarities would join half of the class. A pair between two groups is a group of its own.
    """
    groups: dict[int, list[int]] = {}
    links: dict[int, list[Indices]] = defaultdict(list)
    """The pairs of each group, by its first member."""
    rest = []
    for pair in ranked.pairs:
        first, second = (groups.setdefault(number, [number]) for number in pair)
        if first is second or _mean_share(ranked, first, second) < at_least:
            rest.append(pair)
            continue
        links[first[0]] += [*links.pop(second[0], []), pair]
        first += second
        groups.update(dict.fromkeys(second, first))
    between: list[Indices] = []
    for pair in rest:
        first, second = (groups[number] for number in pair)
        (links[first[0]] if first is second else between).append(pair)
    place = {pair: at for at, pair in enumerate(ranked.pairs)}
    found = [_closest_first(group, place) for group in links.values()] + [(pair,) for pair in between]
    return sorted(found, key=lambda group: place[group[0]])


def _closest_first(group: list[Indices], place: dict[Indices, int]) -> tuple[Indices, ...]:
    closest = min(group, key=place.__getitem__)
    return (closest, *(pair for pair in group if pair != closest))


def _mean_share(ranked: RankedPairs, first: list[int], second: list[int]) -> float:
    shares = [ranked.share((min(pair), max(pair))) for pair in product(first, second)]
    return sum(shares) / len(shares)


def members_of(pairs: tuple[Indices, ...]) -> list[int]:
    """The members of a group, those of its closest pair first."""
    return list(dict.fromkeys(number for pair in pairs for number in pair))
