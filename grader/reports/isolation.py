"""The warning about a low isolation level, for every report."""

from grader.language import Message, say
from grader.sandbox.isolation import Level


def isolation_warning(level: str) -> Message | None:
    """What a hostile player can do at this isolation level; None if it is good enough to trust the results."""
    if Level[level.upper()] >= Level.GOOD:
        return None
    return say(
        "Warning: at isolation level {level}, a hostile player can read and change files, including these results, and use "
        "up other players' time and memory. `grader doctor` shows how to reach level good.",
        level=level,
    )


def isolation_member(level: str) -> dict[str, str]:
    """The warning as a member of a JSON file, if there is one."""
    warning = isolation_warning(level)
    return {} if warning is None else {"isolation_warning": str(warning)}
