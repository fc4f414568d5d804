"""Everything that a check has observed so far, from which the verdicts are made at any moment."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from grader.fixtures import Fixture
from grader.games.exam import ExamAnswer, FinishedGame, Reply
from grader.records import Charge, Fault, MatchRecord
from grader.scoring.points import Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedGame:
    """A game against a reference player, played to its end or as far as there was time."""

    fixture: Fixture
    record: MatchRecord | None
    """None if there was no time for its end."""
    charges: tuple[Charge, ...]
    """Of the player's own moves."""
    pending: float = 0.0
    """Seconds that it had been thinking about a further one when there was no more time."""
    unfair: str = ""
    """Why its result says little, if this machine was too busy."""

    @property
    def opponent(self) -> str:
        """The name of the reference player."""
        return self.fixture.opponent

    @property
    def player_id(self) -> int:
        """Which of the two players the checked one is."""
        return self.fixture.seat + 1


@dataclass(slots=True)
class Observations:
    """Grows while the check goes on."""

    load: Charge | None = None
    load_fault: Fault | None = None
    answers: list[ExamAnswer] = field(default_factory=list)
    """From the empty board and the first moves after it, as in a game."""
    fresh: list[ExamAnswer | Fault] = field(default_factory=list)
    """Of further objects in the same process."""
    disturbed: tuple[Any, Any] | None = None
    """The moves of the first and of a later object in the same position, if they differ and chance is not why."""
    replies: list[Reply] = field(default_factory=list)
    """In prepared positions."""
    variant: str = ""
    """What people call the other board on which it was tried, if it was."""
    elsewhere: list[ExamAnswer | Fault] = field(default_factory=list)
    """Its answers there."""
    games: list[CheckedGame] = field(default_factory=list)
    grade: Grade | None = None
    output: str = ""
    changed: bool = False
    skipped: list[str] = field(default_factory=list)
    """What there was no time for."""
    postponed: bool = False
    """Something was left out because it would have failed in the same way as what went before."""

    @property
    def finished_games(self) -> list[FinishedGame]:
        """The games that were played to their end."""
        return [
            FinishedGame(opponent=game.opponent, seat=game.fixture.seat, record=game.record)
            for game in self.games
            if game.record is not None
        ]

    def faults(self) -> Iterable[tuple[int, Fault]]:
        """What went wrong as it would in the official run: as which player, and how."""
        yield from ((answer.player_id, answer.fault) for answer in self.answers if answer.fault is not None)
        for game in self.finished_games:
            if game.record.fault is not None and game.record.at_fault == game.seat:
                yield game.seat + 1, game.record.fault

    def players_at_fault(self) -> set[int]:
        """As which players it has failed."""
        return {player_id for player_id, _ in self.faults()}

    def has_moved(self) -> bool:
        """Whether it has ever answered with a move."""
        return any(answer.fault is None for answer in self.answers) or any(game.charges for game in self.games)

    def charges(self) -> list[Charge]:
        """The time of every move on the real board from its start on."""
        return [answer.charge for answer in self.answers] + [charge for game in self.games for charge in game.charges]

    def moves(self, player_id: int) -> int:
        """How many moves were seen of it as player 1 or 2."""
        asked = sum(answer.player_id == player_id for answer in self.answers)
        return asked + sum(len(game.charges) for game in self.games if game.player_id == player_id)
