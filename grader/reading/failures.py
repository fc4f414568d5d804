"""What happened to a process that could not read a submission, and the finding about it."""

import signal
from dataclasses import dataclass

from grader.intake.names import printable
from grader.language import Message, say
from grader.records import Finding

SECONDS = 10
"""The CPU time for reading one submission: an ordinary one takes a few hundredths of a second."""
MEMORY_MB = 1536
READER_ERROR = "reader_error"
"""The code of a finding about an error in the grader itself."""
UNREADABLE = "unreadable_submission"
"""The code of a finding about a submission that could not be read in a limited process."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why something could not be read."""

    cause: str
    """`time`, `memory`, `nesting`, `crash` or `bug`."""
    detail: str = ""
    """The signal that ended the process, or the grader's own error."""
    at: str = ""
    """The last file that was opened, relative to the submission; empty if unknown."""

    def finding(self) -> Finding:
        """The finding about it."""
        file = printable(self.at)
        what = say("reading {file}", file=file) if file else say("reading it")
        text = say("The submission could not be read: {problem}.", problem=self._problem(what))
        code = READER_ERROR if self.cause == "bug" else UNREADABLE
        return Finding(code=code, file=file or None, text=text, help=self._help())

    def _problem(self, what: Message) -> Message:
        if self.cause == "time":
            return say("{what} took longer than {seconds} s", what=what, seconds=SECONDS)
        if self.cause == "memory":
            return say("{what} needed more than {size} MB of memory", what=what, size=MEMORY_MB)
        if self.cause == "nesting":
            return say("{what} failed, because it is nested too deeply", what=what)
        if self.cause == "bug":
            return say("{what} caused an error in the grader ({error})", what=what, error=self.detail)
        return say("{what} crashed the process that reads it ({signal})", what=what, signal=self.detail)

    def _help(self) -> Message:
        if self.cause == "bug":
            return say("This is probably not your fault: the instructor should report it to the grader's maintainers.")
        return say("Submit only the player's own code, as ordinary Python files, and the data that it needs.")


INVALID = Failure("crash", "invalid answer")
"""The failure of a process whose answer is not what our own code writes."""


def from_signal(number: int, at: str) -> Failure:
    """The failure of a process that a signal ended."""
    if number == getattr(signal, "SIGXCPU", None):
        return Failure("time", at=at)
    if number == getattr(signal, "SIGKILL", None):  # the kernel's, when the machine has no memory left
        return Failure("memory", at=at)
    return Failure("crash", signal.Signals(number).name, at)
