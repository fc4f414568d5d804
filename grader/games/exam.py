"""The exam of a game for `grader check`: test positions that show how a player understands the rules."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from grader.records import Charge, Fault, MatchRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from grader.games.base import Game


class Mark(str, Enum):
    """The result of a check."""

    GOOD = "good"
    INFO = "info"
    """Neither good nor bad, e.g. a game that was lost."""
    NOTE = "note"
    """A warning: the player can be submitted as it is."""
    BAD = "bad"
    """A problem that must be fixed, because it costs games or the whole grade."""
    OPEN = "open"
    """Could not be checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One thing that was checked, and its result."""

    mark: Mark
    topic: str
    """What was checked, in a word or two, or in short what failed."""
    text: str
    """One sentence: what was observed."""
    help: str = ""
    """One sentence: what to do about it."""
    detail: tuple[str, ...] = ()
    """Lines of evidence: a drawing, or the lines of code that led to it."""
    optional: bool = False
    """A player can be submitted even if this could not be checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A test position, and what some of its moves reveal."""

    player_id: int
    """The player to move."""
    position: Any
    moves_by_belief: "Mapping[str, frozenset[Any]]"
    """For each belief about the rules, the moves of a player that holds it."""
    depth: int = 1
    """How many moves the player, or its opponent, needs to win."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamAnswer:
    """How a player answered a question."""

    player_id: int
    position: Any
    charge: Charge
    move: Any = None
    """A legal move, unless there is a fault."""
    after: Any = None
    """The position after the move."""
    fault: Fault | None = None
    late: bool = False
    changed: bool = False
    """Whether it modified the board that it was given."""


Reply = tuple[Question, ExamAnswer]

Step = tuple[int, int]
"""Rows and columns to go from one cell to another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepList:
    """A list of steps to other cells in a player's code, by the parity of the row to start from.

    It has no steps if the code seems to lead to other cells in a way that cannot be read.
    """

    where: str
    even: frozenset[Step]
    odd: frozenset[Step]


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodCall:
    """A call of a method in a player's code, with the whole numbers among its arguments; None for anything else."""

    where: str
    method: str
    arguments: tuple[int | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedCode:
    """What was read from the part of a player's code that its moves can reach. The code was not run."""

    steps: tuple[StepList, ...] = ()
    calls: tuple[MethodCall, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedGame:
    """A finished game of the player being checked."""

    opponent: str
    seat: int
    record: MatchRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Exam:
    """How a game examines a player."""

    questions: "Callable[[Game, int], Iterator[Question]]"
    """The questions for a seed, the most informative ones first."""
    has_enough: "Callable[[Game, Sequence[Reply]], bool]"
    """Whether the answers so far are sufficient."""
    verdict: "Callable[[Game, Sequence[Reply], PlayedCode], Verdict | None]"
    """What the answers and the code show, if anything."""
    review: "Callable[[Game, Sequence[FinishedGame], Sequence[Reply]], Verdict | None]" = lambda *_: None
    """What the games show, if the answers show too little."""
    review_code: "Callable[[Game, PlayedCode], Sequence[Verdict]]" = lambda *_: ()
    """What the code alone shows about how the player uses the board."""
