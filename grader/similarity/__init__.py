"""Find submissions that share code. The result shows where to look; it proves nothing.

Each submission becomes a set of fingerprints (`symbols`, `fingerprints`). Fingerprints of the handout are ignored. So are, when
two submissions are compared, those of the reference players and of public code, and those that most of a large class has
(`own_code`). Pairs are found through an index of fingerprints, so that the cost grows with the amount of shared code and not
with the number of pairs (`pairs`), and become groups (`groups`). `sources` compares with former years and public code.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.language import Message
from grader.similarity.documents import Document
from grader.similarity.fingerprints import Gram
from grader.similarity.groups import MAX_PAIRS, SimilarGroup, group_pairs, members_of
from grader.similarity.own_code import SMALL_CLASS, OwnCode, own_code
from grader.similarity.pairs import MIN_SHARED, Indices, RankedPairs, SimilarPair, compare_pair, rank_pairs
from grader.similarity.sources import compare_with_references, compare_with_sources, mark_same_name

__all__ = ["MIN_SHARED", "SMALL_CLASS", "Comparison", "SimilarGroup", "SimilarPair", "SourceFolder", "compare"]


@dataclass(frozen=True, slots=True)
class SourceFolder:
    """A folder of earlier submissions or of public code."""

    name: str
    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The result of comparing a class."""

    submissions: tuple[Document, ...]
    groups: tuple[SimilarGroup, ...]
    """The groups of submissions that share code: whole-file copies first, then those that share the most."""
    more_groups: int
    """The number of further groups that are not listed."""
    pairs: tuple[SimilarPair, ...]
    """The pairs of submissions in the same order."""
    references: tuple[SimilarPair, ...]
    """The submissions that share the most with a reference player, which is the second of each pair."""
    earlier: tuple[SimilarPair, ...]
    """The same with a submission of a former year."""
    known: tuple[SimilarPair, ...]
    """The same with public code."""
    sources: tuple[SourceFolder, ...]
    """The folders of former years and public code."""
    at_least: float
    more: int
    """The number of further pairs above the threshold that are not listed."""
    common: int
    """The number of fingerprints ignored because most of the class has them."""
    handed_out: tuple[tuple[str, Message], ...]
    """The files of submissions that count as handed out, each with the reason."""
    short: tuple[str, ...]
    """Submissions with too little code of their own to be compared, except those with remarks."""
    not_compared: tuple[Document, ...]
    """All submissions with too little code to be compared, or none that could be read."""


def compare(
    submissions: Sequence[Document],
    *,
    handout: Iterable[Document] = (),
    references: Sequence[Document] = (),
    earlier: Sequence[SourceFolder] = (),
    known: Sequence[SourceFolder] = (),
    at_least: float = 0.3,
    most: int = 50,
) -> Comparison:
    """Find the pairs of which either shares `at_least` this part of its code, and their groups; at most `most` of each."""
    provided = _all_grams(handout)
    public = _all_grams(references) | _all_grams(document for folder in known for document in folder.documents)
    code = own_code(submissions, provided)
    own = [grams - public - code.common for grams in code.written]
    ranked = rank_pairs(submissions, own, at_least)
    groups = group_pairs(ranked, at_least)
    views = _PairViews(submissions, own)
    not_compared = tuple(
        document for document, grams in zip(submissions, code.written, strict=True) if len(grams) < MIN_SHARED
    )
    return Comparison(
        submissions=tuple(submissions),
        groups=tuple(_group(submissions, ranked, group, views) for group in groups[:most]),
        more_groups=max(0, len(groups) - most),
        pairs=tuple(map(views.view, ranked.pairs[:most])),
        references=tuple(compare_with_references(submissions, code.written, references, provided, at_least)),
        earlier=tuple(_compare_with_earlier(submissions, own, earlier, provided, at_least)),
        known=tuple(_compare_with_known(submissions, code, known, provided, at_least)),
        sources=(*earlier, *known),
        at_least=at_least,
        more=max(0, len(ranked.pairs) - most),
        common=len(code.common),
        handed_out=_handed_out(submissions, code),
        short=tuple(document.id for document in not_compared if not document.remarks),
        not_compared=not_compared,
    )


def _all_grams(documents: Iterable[Document]) -> frozenset[Gram]:
    return frozenset(gram for document in documents for gram in document.grams.values())


class _PairViews:
    """The pairs with their passages, each found once."""

    def __init__(self, submissions: Sequence[Document], own: Sequence[frozenset[Gram]]) -> None:
        self._submissions, self._own = submissions, own
        self._views: dict[Indices, SimilarPair] = {}

    def view(self, pair: Indices) -> SimilarPair:
        if pair not in self._views:
            first, second = pair
            documents, own = self._submissions, self._own
            self._views[pair] = compare_pair(documents[first], documents[second], own[first], own[second])
        return self._views[pair]


def _group(
    submissions: Sequence[Document], ranked: RankedPairs, pairs: tuple[Indices, ...], views: _PairViews
) -> SimilarGroup:
    members = members_of(pairs)
    shares = tuple(tuple(ranked.share_of(number, other) for other in members) for number in members)
    same_code = all(share == 1 for row in shares for share in row)
    listed = pairs[: min(MAX_PAIRS, len(members) - 1)] if same_code else pairs[:MAX_PAIRS]
    return SimilarGroup(
        members=tuple(submissions[number] for number in members),
        shares=shares,
        has_same_code=same_code,
        pairs=tuple(map(views.view, listed)),
    )


def _compare_with_earlier(
    submissions: Sequence[Document],
    own: Sequence[frozenset[Gram]],
    folders: Sequence[SourceFolder],
    provided: frozenset[Gram],
    at_least: float,
) -> list[SimilarPair]:
    """What most of a former class had, or what was handed out to it, is ignored in its folder, too."""
    theirs: list[frozenset[Gram]] = []
    for folder in folders:
        code = own_code(folder.documents, provided)
        theirs += [grams - code.common for grams in code.written]
    documents = [document for folder in folders for document in folder.documents]
    return list(map(mark_same_name, compare_with_sources(submissions, own, documents, theirs, at_least)))


def _compare_with_known(
    submissions: Sequence[Document],
    code: OwnCode,
    folders: Sequence[SourceFolder],
    provided: frozenset[Gram],
    at_least: float,
) -> list[SimilarPair]:
    documents = [document for folder in folders for document in folder.documents]
    theirs = [frozenset(document.grams.values()) - provided for document in documents]
    return compare_with_sources(submissions, code.written, documents, theirs, at_least)


def _handed_out(submissions: Sequence[Document], code: OwnCode) -> tuple[tuple[str, Message], ...]:
    files = {(file.name, file.digest) for document in submissions for file in document.files}
    return tuple(sorted({(name, code.handed_out[digest]) for name, digest in files if digest in code.handed_out}))
