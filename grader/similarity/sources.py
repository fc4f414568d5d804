"""Submissions that share code with something outside their class: a reference player, an earlier submission, public code."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from grader.language import say
from grader.similarity.documents import Document
from grader.similarity.fingerprints import Gram
from grader.similarity.pairs import MIN_SHARED, SimilarPair, compare_pair


def compare_with_references(
    submissions: Sequence[Document],
    written: Sequence[frozenset[Gram]],
    references: Sequence[Document],
    provided: AbstractSet[Gram],
    at_least: float,
) -> list[SimilarPair]:
    """For each submission, the reference player that it shares the most with, if that is enough."""
    theirs = [frozenset(reference.grams.values()) - provided for reference in references]
    found = []
    for document, grams in zip(submissions, written, strict=True):
        counts = [len(grams & known) for known in theirs]
        best = max(range(len(theirs)), key=lambda at: (counts[at], -len(theirs[at])), default=None)
        if best is not None and counts[best] >= MIN_SHARED:
            match = compare_pair(document, references[best], grams, theirs[best])
            own = references[best].grams_of(0) - provided
            if (copied := len(grams & own)) >= MIN_SHARED:  # copying all of its own file is a lot
                match = replace(match, share_of_second=max(match.share_of_second, copied / len(own)))
            found += [match] if match.share >= at_least else []
    return _sorted(found)


def compare_with_sources(
    submissions: Sequence[Document],
    own: Sequence[frozenset[Gram]],
    sources: Sequence[Document],
    theirs: Sequence[frozenset[Gram]],
    at_least: float,
) -> list[SimilarPair]:
    """For each submission, the source that it shares the most with, if that is enough, and the ids of other such sources.

    `own` and `theirs` are the fingerprints that count. Sources are never compared with each other.
    """
    holders: dict[Gram, list[int]] = defaultdict(list)
    wanted = frozenset[Gram]().union(*own)
    for number, grams in enumerate(theirs):
        for gram in grams & wanted:
            holders[gram].append(number)
    found = []
    for document, grams in zip(submissions, own, strict=True):
        counts = Counter(number for gram in grams for number in holders.get(gram, ()))
        ranked = _rank(document, grams, sources, theirs, counts, at_least)
        if ranked:
            match = compare_pair(document, sources[ranked[0]], grams, theirs[ranked[0]])
            found.append(replace(match, others=tuple(sources[number].id for number in ranked[1:])))
    return _sorted(found)


def _rank(
    document: Document,
    grams: frozenset[Gram],
    sources: Sequence[Document],
    theirs: Sequence[frozenset[Gram]],
    counts: Counter[int],
    at_least: float,
) -> list[int]:
    """The sources that share enough with a submission: first one with the same files, then those that share the most."""

    def share(number: int) -> float:
        return counts[number] / max(1, min(len(grams), len(theirs[number])))

    same = {at for at, source in enumerate(sources) if document.codes and source.contents == document.contents}
    enough = {number for number, count in counts.items() if count >= MIN_SHARED and share(number) >= at_least}
    return sorted(enough | same, key=lambda number: (number not in same, -counts[number], -share(number), number))


def mark_same_name(pair: SimilarPair) -> SimilarPair:
    """The pair with a remark if an earlier submission seems to be by the same student."""
    if pair.first.name != pair.second.name and pair.first.id != pair.second.id.rpartition("/")[2]:
        return pair
    return replace(pair, remarks=(*pair.remarks, say("the same name or id: perhaps the same student")))


def _sorted(found: list[SimilarPair]) -> list[SimilarPair]:
    return sorted(found, key=lambda match: (not match.is_copy, -match.share, -match.shared, match.first.id))
