"""The code that a course handed out, recognised because many submissions of a class contain it."""

from collections import Counter
from collections.abc import Iterable

_ENOUGH = 3
"""The number of submissions that share a file if it was handed out: more than a pair of students who worked together."""


def handed_out_code(submissions: Iterable[frozenset[str]]) -> frozenset[str]:
    """The digests of the code that at least three submissions of a class share, given those of each submission.

    Submissions with the same code throughout count once: they are copies of each other.
    """
    counts = Counter(digest for digests in set(submissions) for digest in digests)
    return frozenset(digest for digest, count in counts.items() if count >= _ENOUGH)
