"""The input of every export: a submission with its grade and its games, and the texts that all exports share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from grader.assignment import Assignment
from grader.fixtures import Fixture
from grader.games.endings import explain_ending, move_count
from grader.language import Language, say
from grader.records import Charge, Ending, MatchRecord
from grader.scoring.points import Grade, Part, skipped_keys


class GameStatus(str, Enum):
    """The state of a game from the student's point of view."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    UNLOADABLE = "unloadable"
    """Not played and without points, because the player cannot be loaded."""
    SKIPPED = "skipped"
    """Not played, because it could no longer change the score."""
    UNPLAYED = "unplayed"
    """It counts but has not been played, either not yet or because it could not be played fairly."""


_CRASHES = {Ending.LOAD_ERROR, Ending.CRASH, Ending.MEMORY, Ending.EXITED, Ending.BAD_REPLY}


@dataclass(frozen=True, slots=True)
class ExportedGame:
    """One planned game and its status."""

    fixture: Fixture
    status: GameStatus
    record: MatchRecord | None = None

    @property
    def crashed(self) -> bool:
        """Whether the player failed as a program, as opposed to losing by its moves or on time."""
        lost = self.status is GameStatus.LOST and self.record is not None and self.record.ending in _CRASHES
        return lost or self.status is GameStatus.UNLOADABLE

    @property
    def charges(self) -> list[Charge]:
        """The time of each of the student's moves, including one that ended the game with a fault."""
        return [] if self.record is None else self.record.charges_of(self.fixture.seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedGrade:
    """Everything that exports know about one submission."""

    grade: Grade
    assignment: Assignment
    games: tuple[ExportedGame, ...] = ()
    members: tuple[str, ...] = ()
    """For a group: the ids of the students who get the grade."""
    feedback: Mapping[str, str] | None = None
    """The student's feedback by file suffix: `.md` and, if requested, `.html`."""
    isolation: str = ""

    @property
    def score(self) -> float:
        """The points; for a submission that is not graded yet, the points of the games played so far."""
        return self.grade.partial_score if self.grade.score is None else self.grade.score

    @property
    def is_unknown_zero(self) -> bool:
        """Whether it is not graded and has no points so far, so that an export would turn it into a 0."""
        return self.grade.status == "ungraded" and self.score <= 0

    def against(self, opponent: str) -> tuple[ExportedGame, ...]:
        """The games against one opponent."""
        return tuple(game for game in self.games if game.fixture.opponent == opponent)

    @property
    def unplayed_count(self) -> int:
        """The number of games that count but have not been played."""
        return sum(game.status is GameStatus.UNPLAYED for game in self.games)

    def describe(self, game: ExportedGame, speak: Language, *, hidden: bool = False) -> str:
        """How a game ended and why, as plain text; nothing is revealed if the opponent is `hidden`."""
        number, record = game.fixture.number + 1, game.record
        if hidden and record is not None:
            return speak.say("Game {number}: result not shown (hidden opponent).", number=number)
        if game.status is GameStatus.UNLOADABLE:
            result = say("Game {number}: not played, because the player cannot be loaded.", number=number)
            return f"{speak(result)} {_sentence(speak(self.grade.reason))}"
        if game.status is GameStatus.SKIPPED:
            return speak.say("Game {number}: skipped, because it could not change the score.", number=number)
        if record is None:
            return speak.say("Game {number}: not played.", number=number)
        side = say("moving first") if game.fixture.seat == 0 else say("moving second")
        moves = move_count(len(record.turns))
        won = None if game.status is GameStatus.DRAWN else game.status is GameStatus.WON
        reasons: list[str] = [explain_ending(record.ending, self.assignment.rules, won=won)]
        if won is None:
            result = say("Game {number}, {side}: drawn after {moves}.", number=number, side=side, moves=moves)
        elif won:
            result = say("Game {number}, {side}: won after {moves}.", number=number, side=side, moves=moves)
        else:
            result = say("Game {number}, {side}: lost after {moves}.", number=number, side=side, moves=moves)
            if record.fault is not None:
                reasons = [record.fault.text, record.fault.help]
        return " ".join([speak(result), *(_sentence(speak(reason)) for reason in reasons)])


def exported_games(
    assignment: Assignment, planned: Sequence[Fixture], results: Mapping[str, MatchRecord], *, unloadable: bool
) -> tuple[ExportedGame, ...]:
    """Every planned game with its status."""
    skipped = skipped_keys(assignment, planned, results)
    return tuple(
        _exported_game(fixture, results.get(fixture.key), skipped=fixture.key in skipped, unloadable=unloadable)
        for fixture in planned
    )


def _exported_game(fixture: Fixture, record: MatchRecord | None, *, skipped: bool, unloadable: bool) -> ExportedGame:
    if unloadable:
        return ExportedGame(fixture, GameStatus.UNLOADABLE)
    if skipped:
        return ExportedGame(fixture, GameStatus.SKIPPED)
    if record is None:
        return ExportedGame(fixture, GameStatus.UNPLAYED)
    if record.winner is None:
        return ExportedGame(fixture, GameStatus.DRAWN, record)
    return ExportedGame(fixture, GameStatus.WON if record.winner == fixture.seat else GameStatus.LOST, record)


def opponent_label(part: Part, number: int, *, reveal: bool) -> str:
    """The name that students may see for an opponent; `number` is its position among the opponents, from 1."""
    return say("hidden opponent {number}", number=number) if part.hidden and not reveal else part.opponent


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def total_seconds(games: Sequence[ExportedGame]) -> float:
    """How long the moves of these games took in wall-clock time."""
    records = [game.record for game in games if game.record is not None]
    charges = [turn.charge for record in records for turn in record.turns]
    charges += [record.last_charge for record in records if record.last_charge is not None]
    return round(sum(charge.wall for charge in charges), 3)
