"""Everything that a check has observed so far; the verdicts follow from it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from grader.fixtures import Fixture
from grader.games.exam import ExamAnswer, FinishedGame, Reply, Verdict
from grader.records import Charge, Fault, MatchRecord
from grader.scoring.points import Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedGame:
    """A game against a reference player, played to its end or until time ran out."""

    fixture: Fixture
    record: MatchRecord | None
    """None if the game was not finished."""
    charges: tuple[Charge, ...]
    """The time of each of the player's own moves."""
    pending: float = 0.0
    """How many seconds it had been thinking about the next move when time ran out."""
    unfair: str = ""
    """Why the result is not reliable, if this machine was too busy."""

    @property
    def opponent(self) -> str:
        """The name of the reference player."""
        return self.fixture.opponent

    @property
    def player_id(self) -> int:
        """The number of the checked player, 1 or 2."""
        return self.fixture.seat + 1


@dataclass(slots=True)
class Observations:
    """What was observed; filled in during the check."""

    load: Charge | None = None
    load_fault: Fault | None = None
    answers: list[ExamAnswer] = field(default_factory=list)
    """Its first moves in a game, starting from the empty board."""
    instance_answers: list[ExamAnswer | Fault] = field(default_factory=list)
    """The moves of several instances in the same process."""
    differing_moves: tuple[Any, Any] | None = None
    """The moves of the first and of a later instance in the same position, if they differ and not by chance."""
    replies: list[Reply] = field(default_factory=list)
    """Its moves in the test positions of the game's exam."""
    variant: str = ""
    """The label of the other board on which it was tried, if any."""
    variant_answers: list[ExamAnswer | Fault] = field(default_factory=list)
    """Its moves on that board."""
    games: list[CheckedGame] = field(default_factory=list)
    unplayed: list[Verdict] = field(default_factory=list)
    """Games that could not be played because of a grader error."""
    grade: Grade | None = None
    output: str = ""
    changed: bool = False
    """It modified a board that it was given."""
    skipped: list[str] = field(default_factory=list)
    """What was skipped for lack of time."""
    postponed: bool = False
    """Some checks were left out because they would have failed in the same way."""

    @property
    def finished_games(self) -> list[FinishedGame]:
        """The games that were finished."""
        return [
            FinishedGame(opponent=game.opponent, seat=game.fixture.seat, record=game.record)
            for game in self.games
            if game.record is not None
        ]

    def faults(self) -> Iterable[tuple[int, Fault]]:
        """The faults that would also occur in the official run, each with the number of the player."""
        yield from ((answer.player_id, answer.fault) for answer in self.answers if answer.fault is not None)
        for game in self.finished_games:
            if game.record.fault is not None and game.record.at_fault == game.seat:
                yield game.seat + 1, game.record.fault

    def players_at_fault(self) -> set[int]:
        """The numbers of the players as which it has failed."""
        return {player_id for player_id, _ in self.faults()}

    def has_moved(self) -> bool:
        """Whether it has made any move."""
        return any(answer.fault is None for answer in self.answers) or any(game.charges for game in self.games)

    def charges(self) -> list[Charge]:
        """The time of every move in games and first moves, on the assignment's board."""
        return [answer.charge for answer in self.answers] + [charge for game in self.games for charge in game.charges]

    def moves(self, player_id: int) -> int:
        """The number of its moves as player 1 or 2."""
        first = sum(answer.player_id == player_id for answer in self.answers)
        return first + sum(len(game.charges) for game in self.games if game.player_id == player_id)
