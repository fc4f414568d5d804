"""The status of a grade in words, for all who show one."""

from grader.language import Message, say

_NAMES = {
    "graded": say("graded"),
    "disqualified": say("disqualified"),
    "missing": say("missing"),
    "ungraded": say("ungraded"),
    "excused": say("excused"),
}


def status_label(status: str) -> Message:
    """A status in a word."""
    return _NAMES[status]
