"""Find submissions that share code. The result shows where to look; it proves nothing.

Each submission becomes a set of fingerprints (`symbols`, `fingerprints`). Fingerprints of the handout are ignored. So are, when
two submissions are compared, those of the reference players and those that most of a large class has. Pairs are found through
an index of fingerprints, so that the cost grows with the amount of shared code and not with the number of pairs.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from grader.inspection.handed_out import handed_out_code
from grader.language import Message, say
from grader.similarity.documents import Document
from grader.similarity.file_roles import Role
from grader.similarity.fingerprints import Gram
from grader.similarity.passages import Passage, passages

MOST_OF_THE_CLASS = 0.5
SMALL_CLASS = 10
"""Code in at most this many submissions never counts as common, however small the class: it may have been copied."""
_MANY, _NAMED = 4, 5
"""A file that players use, and more submissions than this and most of the class have, was handed out. How many ids are listed."""
MIN_SHARED = 8
"""The minimum number of shared fingerprints, about seven lines. Fewer can be shared by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPair:
    """Two submissions that share code, or a submission and a reference player."""

    first: Document
    second: Document
    share_of_first: float
    """The share of the first's fingerprints that the second has, from 0 to 1."""
    share_of_second: float
    """The same the other way round; for a reference player, of its own file or of all its files, whichever is more."""
    shared: int
    """The number of fingerprints that both have."""
    passages: tuple[Passage, ...]
    remarks: tuple[Message, ...] = ()

    @property
    def share(self) -> float:
        """The larger of the two shares, so that adding more code does not hide a copied part."""
        return max(self.share_of_first, self.share_of_second)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The result of comparing a class."""

    submissions: tuple[Document, ...]
    pairs: tuple[SimilarPair, ...]
    """The pairs of submissions that share the most, in descending order."""
    references: tuple[SimilarPair, ...]
    """The submissions that share the most with a reference player, which is the second of each pair."""
    at_least: float
    more: int
    """The number of further pairs above the threshold that are not listed."""
    common: int
    """The number of fingerprints ignored because most of the class has them."""
    handed_out: tuple[tuple[str, Message], ...]
    """The files of submissions that count as handed out, each with the reason."""
    short: tuple[str, ...]
    """Submissions with too little code of their own to be compared, except those with remarks."""


def compare(
    submissions: Sequence[Document],
    *,
    handout: Iterable[Document] = (),
    references: Sequence[Document] = (),
    at_least: float = 0.3,
    most: int = 50,
) -> Comparison:
    """Find the pairs of which either shares `at_least` this part of its code; at most `most` of them."""
    reasons = _handed_out_files(submissions)
    provided = {gram for document in handout for gram in document.grams.values()}
    known = {gram for document in references for gram in document.grams.values()}
    written = [
        frozenset(gram for at, gram in document.grams.items() if document.file_at(at).digest not in reasons) - provided
        for document in submissions
    ]
    common = _common_grams(written)
    own = [grams - known - common for grams in written]
    pairs = _rank_pairs(submissions, own, at_least)
    return Comparison(
        submissions=tuple(submissions),
        pairs=tuple(
            _compare_pair(submissions[first], submissions[second], own[first], own[second])
            for first, second in pairs[:most]
        ),
        references=tuple(_compare_with_references(submissions, written, references, provided, at_least)),
        at_least=at_least,
        more=max(0, len(pairs) - most),
        common=len(common),
        handed_out=tuple(
            sorted(
                {
                    (file.name, reasons[file.digest])
                    for each in submissions
                    for file in each.files
                    if file.digest in reasons
                }
            )
        ),
        short=tuple(
            document.id
            for document, grams in zip(submissions, written, strict=True)
            if len(grams) < MIN_SHARED and not document.remarks
        ),
    )


def _handed_out_files(submissions: Sequence[Document]) -> dict[str, Message]:
    """The digests of files that students did not write as part of their player, with the reason.

    Only these files themselves are left out, not what is like them in others. A file that players use was handed out only if
    most of the class has it, or if it is a file of the course: a few students may have copied it from each other.
    """
    shared = handed_out_code(frozenset(file.digest for file in document.files) for document in submissions)
    owners: dict[str, dict[str, Role]] = defaultdict(dict)
    for document in submissions:
        for file in document.files:
            owners[file.digest][document.id] = file.role
    most = max(_MANY, MOST_OF_THE_CLASS * len(submissions))
    reasons = {}
    for digest, roles in owners.items():
        used = Counter(role in (Role.PLAYER, Role.USED) for role in roles.values())
        if all(role is Role.INTERFACE for role in roles.values()):
            reasons[digest] = say("a user interface that the player does not use")
        elif digest in shared and (used[True] <= used[False] or len(roles) > most):
            reasons[digest] = say(
                "the same in {n} submission: {ids}",
                "the same in {n} submissions: {ids}",
                n=len(roles),
                ids=_listed(roles),
            )
    return reasons


def _listed(ids: Iterable[str]) -> str:
    first, *rest = sorted(ids)
    return ", ".join([first, *rest[: _NAMED - 1], *("…" for _ in rest[_NAMED - 1 : _NAMED])])


def _common_grams(written: Sequence[frozenset[Gram]]) -> frozenset[Gram]:
    """The fingerprints that most of the class has. Identical submissions count once: a group of copies is not the class."""
    different = set(written)
    holders = Counter(gram for grams in different for gram in grams)
    limit = max(SMALL_CLASS, MOST_OF_THE_CLASS * len(different))
    return frozenset(gram for gram, count in holders.items() if count > limit)


def _rank_pairs(
    submissions: Sequence[Document], own: Sequence[frozenset[Gram]], at_least: float
) -> list[tuple[int, int]]:
    """The pairs that share enough or have identical files, those that share the most first."""
    shared = _count_shared(own)

    def share(pair: tuple[int, int]) -> float:
        return shared[pair] / max(1, min(len(own[number]) for number in pair))

    found = {pair for pair, count in shared.items() if count >= MIN_SHARED and share(pair) >= at_least}
    return sorted(found | _same_files(submissions), key=lambda pair: (-share(pair), -shared[pair], pair))


def _count_shared(own: Sequence[frozenset[Gram]]) -> Counter[tuple[int, int]]:
    """The number of fingerprints that each pair shares, for pairs that share any."""
    holders: dict[Gram, list[int]] = defaultdict(list)
    for number, grams in enumerate(own):
        for gram in grams:
            holders[gram].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for numbers, count in Counter(map(tuple, holders.values())).items():
        for pair in combinations(numbers, 2):
            shared[pair] += count
    return shared


def _same_files(submissions: Sequence[Document]) -> set[tuple[int, int]]:
    same: dict[str, list[int]] = defaultdict(list)
    for number, document in enumerate(submissions):
        if document.codes:
            same[document.contents].append(number)
    return {pair for numbers in same.values() for pair in combinations(numbers, 2)}


def _compare_pair(
    first: Document, second: Document, first_grams: frozenset[Gram], second_grams: frozenset[Gram]
) -> SimilarPair:
    shared = first_grams & second_grams
    found = passages(first, second, shared)
    remarks = [
        *_unused(first, {each.first.file for each in found}),
        *_unused(second, {each.second.file for each in found}),
    ]
    if first.contents and first.contents == second.contents:
        remarks.append(say("identical files"))
    if set(first.members) & set(second.members):
        remarks.append(say("members of the same group"))
    return SimilarPair(
        first=first,
        second=second,
        share_of_first=len(shared) / max(1, len(first_grams)),
        share_of_second=len(shared) / max(1, len(second_grams)),
        shared=len(shared),
        passages=found,
        remarks=tuple(remarks),
    )


def _unused(document: Document, names: set[str]) -> Iterator[Message]:
    """The remark that what a submission shares is only in files that its player does not use."""
    if names and all(file.role in (Role.UNUSED, Role.INTERFACE) for file in document.files if file.name in names):
        files = ", ".join(sorted(names))
        yield say("only in a file that {id}'s player does not use: {files}", id=document.id, files=files)


def _compare_with_references(
    submissions: Sequence[Document],
    written: Sequence[frozenset[Gram]],
    references: Sequence[Document],
    provided: set[Gram],
    at_least: float,
) -> list[SimilarPair]:
    """For each submission, the reference player that it shares the most with, if that is enough."""
    theirs = [frozenset(reference.grams.values()) - provided for reference in references]
    found = []
    for document, grams in zip(submissions, written, strict=True):
        counts = [len(grams & known) for known in theirs]
        best = max(range(len(theirs)), key=lambda at: (counts[at], -len(theirs[at])), default=None)
        if best is not None and counts[best] >= MIN_SHARED:
            match = _compare_pair(document, references[best], grams, theirs[best])
            own = references[best].grams_of(0) - provided
            if (copied := len(grams & own)) >= MIN_SHARED:  # copying all of its own file is a lot
                match = replace(match, share_of_second=max(match.share_of_second, copied / len(own)))
            found += [match] if match.share >= at_least else []
    return sorted(found, key=lambda match: (-match.share, -match.shared, match.first.id))
