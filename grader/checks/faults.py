"""How a check words a player's faults, and which of them are the same."""

import re
from collections.abc import Iterable

from grader.games.exam import ExamAnswer, Mark, Verdict
from grader.language import say
from grader.records import Fault

_CELL_OR_NUMBER = re.compile(r"\b[a-z]{0,2}\d+")


def fault_verdict(topic: str, text: str, fault: Fault) -> Verdict:
    """A problem to fix: a sentence about when the player fails, followed by the fault."""
    return Verdict(
        mark=Mark.BAD,
        topic=topic,
        text=say("{text} {fault}", text=text, fault=fault_text(fault)),
        help=fault.help,
        detail=fault_trace(fault),
    )


def fault_text(fault: Fault) -> str:
    """What happened, and the line that was running."""
    if fault.where and fault.where not in fault.text:
        return say("{text} This happened at {where}.", text=fault.text, where=fault.where)
    return fault.text


def fault_kind(fault: Fault) -> tuple[str, ...]:
    """A key that is the same for faults that differ only in numbers or cells."""
    return fault.ending, fault.where or "", *(_CELL_OR_NUMBER.sub("0", text) for text in (fault.help, fault.text))


def fault_trace(fault: Fault) -> tuple[str, ...]:
    """The last lines of its traceback."""
    return tuple(fault.trace.splitlines()[-5:])


def first_fault(answers: Iterable[ExamAnswer | Fault]) -> Fault | None:
    """The first fault among answers, each of which may itself be a fault."""
    faults = (answer if isinstance(answer, Fault) else answer.fault for answer in answers)
    return next((fault for fault in faults if fault is not None), None)
