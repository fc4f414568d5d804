"""What every export is given: a submission with its grade and its games; and the words that exports share."""

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
    """How a game stands for the student."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    UNLOADABLE = "unloadable"
    """Lost unplayed, because the player cannot be loaded."""
    SKIPPED = "skipped"
    """Not played, because it could not change the points any more."""
    UNPLAYED = "unplayed"
    """It counts, and has not been played: not yet, or not fairly."""


_CRASHES = {Ending.LOAD_ERROR, Ending.CRASH, Ending.MEMORY, Ending.EXITED, Ending.BAD_REPLY}


@dataclass(frozen=True, slots=True)
class ExportedGame:
    """One planned game and how it stands."""

    fixture: Fixture
    status: GameStatus
    record: MatchRecord | None = None

    @property
    def crashed(self) -> bool:
        """Whether the player failed as a program, rather than lost by its moves or its time."""
        lost = self.status is GameStatus.LOST and self.record is not None and self.record.ending in _CRASHES
        return lost or self.status is GameStatus.UNLOADABLE

    @property
    def charges(self) -> list[Charge]:
        """The time of each of the student's moves, the one that was its fault included."""
        return [] if self.record is None else self.record.charges_of(self.fixture.seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedGrade:
    """All that an export may tell about one submission."""

    grade: Grade
    assignment: Assignment
    games: tuple[ExportedGame, ...] = ()
    members: tuple[str, ...] = ()
    """Of a group: the ids of those who get the grade."""
    feedback: Mapping[str, str] | None = None
    """What the student is told, by the suffix of the file: `.md`, and others that the reports write."""
    isolation: str = ""

    @property
    def score(self) -> float:
        """The points, as far as they are known: of a submission that is not graded yet, those of the games played."""
        if self.grade.score is not None:
            return self.grade.score
        return round(sum(part.points for part in self.grade.parts) - self.grade.penalty, 4)

    def against(self, opponent: str) -> tuple[ExportedGame, ...]:
        """The games against one opponent."""
        return tuple(game for game in self.games if game.fixture.opponent == opponent)

    @property
    def unplayed_count(self) -> int:
        """How many games count and have not been played."""
        return sum(game.status is GameStatus.UNPLAYED for game in self.games)

    def describe(self, game: ExportedGame, speak: Language, *, hidden: bool = False) -> str:
        """How one of the games went, and why, in plain text; against a `hidden` opponent, only that it is not told."""
        number, record = game.fixture.number + 1, game.record
        if hidden and record is not None:
            return speak.say("Game {number}: its opponent is hidden, so how it went is not told.", number=number)
        if game.status is GameStatus.UNLOADABLE:
            how = say("Game {number}: lost, because the player cannot be loaded.", number=number)
            return f"{speak(how)} {_sentence(speak(self.grade.reason))}"
        if game.status is GameStatus.SKIPPED:
            return speak.say("Game {number}: not needed, as it could not change the points.", number=number)
        if record is None:
            return speak.say("Game {number}: not played.", number=number)
        side = say("moving first") if game.fixture.seat == 0 else say("moving second")
        moves = move_count(len(record.turns))
        won = None if game.status is GameStatus.DRAWN else game.status is GameStatus.WON
        reasons: list[str] = [explain_ending(record.ending, self.assignment.rules, won=won)]
        if won is None:
            how = say("Game {number}, {side}: drawn after {moves}.", number=number, side=side, moves=moves)
        elif won:
            how = say("Game {number}, {side}: won after {moves}.", number=number, side=side, moves=moves)
        else:
            how = say("Game {number}, {side}: lost after {moves}.", number=number, side=side, moves=moves)
            if record.fault is not None:
                reasons = [record.fault.text, record.fault.help]
        return " ".join([speak(how), *(_sentence(speak(why)) for why in reasons)])


def exported_games(
    assignment: Assignment, planned: Sequence[Fixture], results: Mapping[str, MatchRecord], *, unloadable: bool
) -> tuple[ExportedGame, ...]:
    """Every planned game with how it stands."""
    idle = skipped_keys(assignment, planned, results)
    return tuple(
        _exported_game(fixture, results.get(fixture.key), fixture.key not in idle, unloadable) for fixture in planned
    )


def _exported_game(fixture: Fixture, record: MatchRecord | None, wanted: bool, unloadable: bool) -> ExportedGame:
    if unloadable:
        return ExportedGame(fixture, GameStatus.UNLOADABLE)
    if not wanted:
        return ExportedGame(fixture, GameStatus.SKIPPED)
    if record is None:
        return ExportedGame(fixture, GameStatus.UNPLAYED)
    if record.winner is None:
        return ExportedGame(fixture, GameStatus.DRAWN, record)
    return ExportedGame(fixture, GameStatus.WON if record.winner == fixture.seat else GameStatus.LOST, record)


def opponent_label(part: Part, number: int, *, reveal: bool) -> str:
    """An opponent as students may know it; `number` is its place among the opponents, from 1."""
    return say("hidden opponent {number}", number=number) if part.hidden and not reveal else part.opponent


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def total_seconds(games: Sequence[ExportedGame]) -> float:
    """How long these games took, on the wall's clock, as far as moves tell."""
    records = [game.record for game in games if game.record is not None]
    spent = [turn.charge for record in records for turn in record.turns]
    spent += [record.last_charge for record in records if record.last_charge is not None]
    return round(sum(charge.wall for charge in spent), 3)
