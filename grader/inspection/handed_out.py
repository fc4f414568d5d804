"""The code that a course handed out, recognised because many submissions of a class contain it."""

from collections import Counter
from collections.abc import Iterable

from grader.inspection.submission_code import SubmissionCode

_ENOUGH = 3
"""The number of submissions that share a file if it was handed out: more than a pair of students who worked together."""


def handed_out_code(codes: Iterable[SubmissionCode]) -> frozenset[str]:
    """The digests of the code that three submissions share or, in a class of fewer than six, half of them.

    Submissions with the same code throughout count once: they are copies of each other.
    """
    different = {frozenset(source.code for source in code.graph.sources) for code in codes}
    counts = Counter(digest for digests in different for digest in digests)
    enough = min(_ENOUGH, max(2, (len(different) + 1) // 2))
    return frozenset(digest for digest, count in counts.items() if count >= enough)
