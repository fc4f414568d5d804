"""The exceptions that the grader raises. A student's fault is never an exception: it is a recorded value.

GraderError
├── OptionError      an invalid game, player or option
├── AssignmentError  an invalid assignment file, with all problems and their places; defined in grader.assignment
├── IllegalMove      a move that the rules do not allow
├── RecordError      invalid data instead of the record of a match
├── IsolationError   the required isolation level is not available on this machine
├── IntakeError      a folder or roster that cannot be read; defined in grader.intake
├── StagingFault     a submission that cannot be read or copied; defined in grader.intake
├── StoreError       results that cannot be read or written; defined in grader.store
├── SheetError       an invalid file to be filled in by an export; defined in grader.exports
├── NotInstalled     no installed grader to pack for another machine; defined in grader.exports
├── ClusterError     a cluster that cannot be reached, or was lost; defined in grader.engine.base
├── OutOfTime        no time left to wait for a player
└── GraderFault      a match that could not be played, through no fault of a player: it is played again
    └── MachineBusy  the machine was too busy for it: played again when it is less busy
"""

from grader.language import Language


class GraderError(Exception):
    """The grader cannot continue. The text says what happened, where, and what to do."""

    @property
    def text(self) -> str:
        """The message of this error, which can be translated; `str` returns only its English text."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)

    def translate(self, speak: Language) -> str:
        """The text in a language."""
        return speak(self.text)


class OptionError(GraderError, ValueError):
    """A game, a player or one of their options is invalid."""


class IllegalMove(GraderError, ValueError):
    """A move that the rules do not allow in a position."""


class RecordError(GraderError, ValueError):
    """Data that is not a valid record of a match."""


class IsolationError(GraderError):
    """The required isolation level is not available on this machine."""


class OutOfTime(GraderError):
    """No time was left to wait for a player's answer. This says nothing about the player."""


class GraderFault(GraderError):
    """A match could not be played, through no fault of a player. It is played again and never scored."""


class MachineBusy(GraderFault):
    """The machine was too busy for a fair match. It is played again when the machine is less busy."""
