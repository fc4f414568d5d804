"""The exceptions that the grader raises. A student's fault is never an exception: it is a recorded value.

GraderError
├── OptionError      a game, a player or their options are not what they can be
├── AssignmentError  a file is no assignment; defined in grader.assignment, with all that is wrong and where
├── IllegalMove      a move that the rules do not allow was asked of a game
├── RecordError      something is no record of a match
├── IsolationError   the isolation that was asked for is not to be had on this machine
├── IntakeError      the folder or roster that was named cannot be read; defined in grader.intake
├── StagingFault     a submission cannot be read, or copied to our disk; defined in grader.intake
├── StoreError       the results cannot be read or written; defined in grader.store
├── SheetError       a file that an export should fill is not what it must be; defined in grader.exports
├── NotInstalled     there is no installed grader to pack for another machine; defined in grader.exports
├── ClusterError     a cluster cannot be reached, or has gone; defined in grader.engine.cluster
├── OutOfTime        whoever asked for something had no time left to wait for it
└── GraderFault      this match could not be played, and it was nobody's fault but ours: play it again
"""

from grader.language import Language


class GraderError(Exception):
    """The grader cannot go on. The text says what happened, where, and what to do next."""

    @property
    def text(self) -> str:
        """What happened, as the message that it is; `str` would give only the English of it."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)

    def translate(self, speak: Language) -> str:
        """The text in a language."""
        return speak(self.text)


class OptionError(GraderError, ValueError):
    """A game, a player or one of their options is not what it can be."""


class IllegalMove(GraderError, ValueError):
    """A move that the rules do not allow in that position."""


class RecordError(GraderError, ValueError):
    """Something that was to be read is no record of a match."""


class IsolationError(GraderError):
    """The isolation that was asked for is not to be had on this machine."""


class OutOfTime(GraderError):
    """Whoever asked a player for something had no time left to wait for it: that says nothing about the player."""


class GraderFault(GraderError):
    """A match could not be played, through no fault of a player. It is played again and never scored."""
