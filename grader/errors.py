"""What can go wrong on our side of the table, as exceptions. A student's fault is never one: it is a recorded value.

GraderError
├── OptionError      a game, a player or their options are not what they can be
├── AssignmentError  a file is no assignment; defined in grader.assignment, with all that is wrong and where
├── IllegalMove      a move that the rules do not allow was asked of a game
├── IsolationError   the isolation that was asked for is not to be had on this machine
├── IntakeError      the folder or roster that was named cannot be read; defined in grader.intake
├── StagingFault     our own disk failed while a submission was copied; defined in grader.intake
├── StoreError       the results cannot be read or written; defined in grader.store
└── GraderFault      this match could not be played, and it was nobody's fault but ours: play it again
"""


class GraderError(Exception):
    """The grader cannot go on. The text says what happened, where, and what to do next."""


class OptionError(GraderError, ValueError):
    """A game, a player or one of their options is not what it can be."""


class IllegalMove(GraderError, ValueError):
    """A move that the rules do not allow in that position."""


class IsolationError(GraderError):
    """The isolation that was asked for is not to be had on this machine."""


class GraderFault(GraderError):
    """A match could not be played, through no fault of a player. It is played again and never scored."""
