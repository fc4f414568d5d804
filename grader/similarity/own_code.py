"""What students wrote themselves: without handed-out files, and without what most of a class has."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from grader.inspection.handed_out import handed_out_code
from grader.language import Message, say
from grader.similarity.documents import Document
from grader.similarity.file_roles import Role
from grader.similarity.fingerprints import Gram

MOST_OF_THE_CLASS = 0.5
SMALL_CLASS = 10
"""Code in at most this many submissions never counts as common, however small the class: it may have been copied."""
_MANY, _NAMED = 4, 5
"""A file that players use, and more submissions than this and most of the class have, was handed out. How many ids are listed."""


@dataclass(frozen=True, slots=True)
class OwnCode:
    """The fingerprints of the submissions of one class."""

    written: tuple[frozenset[Gram], ...]
    """What each submission has besides handed-out files."""
    common: frozenset[Gram]
    """What most of the class has."""
    handed_out: dict[str, Message]
    """The digests of files that count as handed out, with the reason."""


def own_code(submissions: Sequence[Document], provided: AbstractSet[Gram]) -> OwnCode:
    """The code of a class without what the course `provided`."""
    reasons = _handed_out_files(submissions)
    written = tuple(
        frozenset(gram for at, gram in document.grams.items() if document.file_at(at).digest not in reasons) - provided
        for document in submissions
    )
    return OwnCode(written, _common_grams(written), reasons)


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
