"""Pairs of documents that share code."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from grader.language import Message, say
from grader.similarity.documents import Document
from grader.similarity.file_roles import Role
from grader.similarity.fingerprints import Gram
from grader.similarity.passages import Passage, passages

MIN_SHARED = 8
"""The minimum number of shared fingerprints, about seven lines. Fewer can be shared by chance."""

Indices = tuple[int, int]
"""Two submissions, by their indices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPair:
    """Two submissions that share code, or a submission and a source: a reference player, an earlier submission, public code."""

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
    is_copy: bool = False
    """Whether whole files with a student's own code are identical."""
    others: tuple[str, ...] = ()
    """The ids of further sources of the same kind that the first shares enough with."""

    @property
    def share(self) -> float:
        """The larger of the two shares, so that adding more code does not hide a copied part."""
        return max(self.share_of_first, self.share_of_second)


@dataclass(frozen=True, slots=True)
class RankedPairs:
    """The pairs that share enough, whole-file copies first, then those that share the most."""

    pairs: tuple[Indices, ...]
    shared: Counter[Indices]
    """The number of fingerprints that each pair shares, for pairs that share any."""
    sizes: tuple[int, ...]
    """The number of fingerprints of each submission."""
    same: frozenset[Indices]
    """The pairs whose files all have the same contents."""

    def share(self, pair: Indices) -> float:
        """The larger of a pair's two shares; 1 if all their files are the same, even if all of them were handed out."""
        return 1.0 if pair in self.same else self.shared[pair] / max(1, min(self.sizes[number] for number in pair))

    def share_of(self, number: int, other: int) -> float:
        """The share of a submission's code that another one has."""
        pair = (min(number, other), max(number, other))
        return 1.0 if number == other or pair in self.same else self.shared[pair] / max(1, self.sizes[number])


def rank_pairs(submissions: Sequence[Document], own: Sequence[frozenset[Gram]], at_least: float) -> RankedPairs:
    """Rank the pairs that share enough of their own code, or whose files are all the same."""
    shared, same = _count_shared(own), frozenset(_same_contents(submissions))
    ranked = RankedPairs((), shared, tuple(map(len, own)), same)
    copies = same | _same_files(submissions, own)
    found = {pair for pair, count in shared.items() if count >= MIN_SHARED and ranked.share(pair) >= at_least} | same
    order = sorted(found, key=lambda pair: (pair not in copies, -ranked.share(pair), -shared[pair], pair))
    return RankedPairs(tuple(order), shared, ranked.sizes, same)


def _count_shared(own: Sequence[frozenset[Gram]]) -> Counter[Indices]:
    holders: dict[Gram, list[int]] = defaultdict(list)
    for number, grams in enumerate(own):
        for gram in grams:
            holders[gram].append(number)
    shared: Counter[Indices] = Counter()
    for numbers, count in Counter(map(tuple, holders.values())).items():
        for pair in combinations(numbers, 2):
            shared[pair] += count
    return shared


def _same_contents(submissions: Sequence[Document]) -> set[Indices]:
    same: dict[str, list[int]] = defaultdict(list)
    for number, document in enumerate(submissions):
        if document.codes:
            same[document.contents].append(number)
    return {pair for numbers in same.values() for pair in combinations(numbers, 2)}


def _same_files(submissions: Sequence[Document], own: Sequence[frozenset[Gram]]) -> set[Indices]:
    """The pairs that have an identical file with enough code of their own."""
    holders: dict[str, list[int]] = defaultdict(list)
    for number, document in enumerate(submissions):
        for digest in own_files(document, own[number]):
            holders[digest].append(number)
    return {pair for numbers in holders.values() for pair in combinations(numbers, 2)}


def own_files(document: Document, grams: frozenset[Gram]) -> dict[str, str]:
    """The files that contain enough of these fingerprints to count: their names, by digest."""
    counts = Counter(document.locate(at)[0] for at, gram in document.grams.items() if gram in grams)
    files = [document.files[number] for number, count in sorted(counts.items()) if count >= MIN_SHARED]
    return {file.digest: file.name for file in files}


def compare_pair(first: Document, second: Document, grams: frozenset[Gram], others: frozenset[Gram]) -> SimilarPair:
    """Two documents with the fingerprints of each that count."""
    shared = grams & others
    found = passages(first, second, shared)
    identical = own_files(first, shared)
    same = [identical[file.digest] for file in second.files if file.digest in identical]
    same_contents = bool(first.contents and first.contents == second.contents)
    remarks = [
        *([say("identical files")] if same_contents else _identical(same)),
        *_unused(first, {each.first.file for each in found}),
        *_unused(second, {each.second.file for each in found}),
    ]
    if set(first.members) & set(second.members):
        remarks.append(say("members of the same team"))
    return SimilarPair(
        first=first,
        second=second,
        share_of_first=len(shared) / max(1, len(grams)),
        share_of_second=len(shared) / max(1, len(others)),
        shared=len(shared),
        passages=found,
        remarks=tuple(remarks),
        is_copy=same_contents or bool(same),
    )


def _identical(names: list[str]) -> Iterator[Message]:
    if names:
        listed = ", ".join(sorted(set(names)))
        yield say("identical file: {files}", "identical files: {files}", n=len(set(names)), files=listed)


def _unused(document: Document, names: set[str]) -> Iterator[Message]:
    """The remark that what a submission shares is only in files that its player does not use."""
    if names and all(file.role in (Role.UNUSED, Role.INTERFACE) for file in document.files if file.name in names):
        files = ", ".join(sorted(names))
        yield say("only in a file that {id}'s player does not use: {files}", id=document.id, files=files)
