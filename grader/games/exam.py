"""The exam of a game for `grader check`: positions in which a move shows what a player believes about the rules."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from grader.records import Charge, Fault, MatchRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from grader.games.base import Game


class Mark(str, Enum):
    """What a verdict comes to."""

    GOOD = "good"
    NOTE = "note"
    """A warning, which does not keep anybody from submitting."""
    BAD = "bad"
    """Must be fixed: it costs games or everything."""
    OPEN = "open"
    """Could not be checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One thing that was checked, and what it comes to."""

    mark: Mark
    topic: str
    """What was checked, in a word or two."""
    text: str
    """One sentence: what was seen."""
    help: str = ""
    """One sentence: what to do about it."""
    detail: tuple[str, ...] = ()
    """Lines that show it: a drawing, the lines of code that led to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A position, and what some of its moves show."""

    player_id: int
    """The player to move."""
    position: Any
    telling: "Mapping[str, frozenset[Any]]"
    """By belief: the moves of a player that holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamAnswer:
    """What a player did when it was asked for a move."""

    player_id: int
    position: Any
    charge: Charge
    move: Any = None
    """Legal, if there is no fault."""
    after: Any = None
    """The position after it."""
    fault: Fault | None = None
    late: bool = False
    changed: bool = False
    """It changed the board that it was given."""


Reply = tuple[Question, ExamAnswer]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedGame:
    """A finished game of the player that is checked."""

    opponent: str
    seat: int
    record: MatchRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Exam:
    """How a game examines a player."""

    questions: "Callable[[Game, int], Iterator[Question]]"
    """By a seed, the most telling ones first."""
    has_enough: "Callable[[Game, Sequence[Reply]], bool]"
    """Whether the answers so far show enough."""
    verdict: "Callable[[Game, Sequence[Reply]], Verdict | None]"
    """What they come to, if they show anything."""
    review: "Callable[[Game, Sequence[FinishedGame], Sequence[Reply]], Verdict | None]" = lambda *_: None
    """What the games show that the answers did not."""
