"""A game to play (`Fixture`), the same game once it has been played (`Match`), and how their keys are derived.

Everything about a fixture is decided before anything is played: which player moves first, each player's seed, and the key
under which the result is stored.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from grader.assignment import Assignment, MatchTime, Opponent, player_label
from grader.games import Game
from grader.language import Message
from grader.records import Fault, MatchRecord

RULES = 3
"""The version of everything that can affect a game. Increase it when old results must no longer be used."""

REFERENCE = "reference/"
"""The prefix of the ids of reference players and of a course's own opponents. A submission's id contains no slash."""

Results = Mapping[str, MatchRecord]
"""Finished games by the key of their fixture; a game that is missing has not been played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """A game between two players that is to be played."""

    game: str
    """The name of the game, and therefore of its assignment."""
    players: tuple[str, str]
    """The players' ids; the first moves first."""
    number: int
    """The number of this game between the two players, from 0. They take turns moving first."""
    seed: int
    """The seed of the match itself: of the moves that are played for a player that is late."""
    seeds: tuple[int, int]
    """The seeds of the two players."""
    key: str
    """The key in the store: a hash of everything that can affect the game."""
    code: str = ""
    """A hash of the two players' code, which identical submissions share; empty if it does not matter."""
    telling: int | None = None
    """How many games of these two in this order show whether all of them are the same: 1 if neither player uses random
    numbers. None if the games differ anyway, because of random numbers, a reference player's openings, or learning."""

    @property
    def opening(self) -> int:
        """The number of the opening that a reference player plays: the same whether it moves first or second."""
        return self.number // 2

    @property
    def seat(self) -> int:
        """The seat of the submission; 0 if both players are submissions."""
        return int(self.players[0].startswith(REFERENCE))

    @property
    def submission(self) -> str:
        """The id of the player in that seat."""
        return self.players[self.seat]

    @property
    def opponent(self) -> str:
        """The name of the player in the other seat."""
        return player_name(self.players[1 - self.seat])


Unit = tuple[Fixture, ...]
"""Fixtures that are played one after the other in the same processes: usually one, or a whole series if players learn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A game that counts, from the point of view of one of its two players."""

    fixture: Fixture
    record: MatchRecord
    game: Game
    seat: int
    """The seat of that player."""
    played: bool = True
    """False if it was not played because it would have repeated another game move for move; the record is that game's."""

    @classmethod
    def of(cls, fixture: Fixture, record: MatchRecord, game: Game, *, seat: int, played: bool = True) -> "Match":
        """A game with its players' own names in the record, which identical submissions share."""
        names = player_name(fixture.players[0]), player_name(fixture.players[1])
        record = _with_names(record, names)
        return cls(fixture=fixture, record=record, game=game, seat=seat, played=played)

    @property
    def opponent(self) -> str:
        """The name of the other player."""
        return player_name(self.fixture.players[1 - self.seat])

    @property
    def own_fault(self) -> Fault | None:
        """The fault by which this player lost the game; None if the game ended in any other way."""
        return self.record.fault if self.record.at_fault == self.seat else None

    @property
    def score(self) -> float:
        """1 if the player won, ½ for a draw, 0 if it lost."""
        return 0.5 if self.record.winner is None else float(self.record.winner == self.seat)

    @property
    def code(self) -> str | tuple[str, str]:
        """A key that is equal for all games in which the same code plays in the same order, no matter who submitted it."""
        return self.fixture.code or self.fixture.players

    @property
    def line(self) -> tuple[str, ...]:
        """Its moves and its ending: games with the same line are repeats of each other."""
        return move_line(self.record)

    def seen_by(self, player: str) -> "Match":
        """The same game from the point of view of this player."""
        return replace(self, seat=self.fixture.players.index(player))


def _with_names(record: MatchRecord, names: tuple[str, str]) -> MatchRecord:
    """A record with these names of the players, also in the reasons why earlier attempts did not count."""
    first, second = record.seats
    if (first.name, second.name) == names:
        return record
    new_names = dict(zip((first.name, second.name), names, strict=True))
    return replace(
        record,
        seats=(replace(first, name=names[0]), replace(second, name=names[1])),
        attempts=tuple(_renamed(why, new_names) for why in record.attempts),
    )


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """A message in which values that are one of these names are replaced."""
    if not isinstance(text, Message):
        return names.get(text, text)
    values = {key: _renamed(value, names) if isinstance(value, str) else value for key, value in text.values.items()}
    return Message(text.template, values, text.plural)


def move_line(record: MatchRecord) -> tuple[str, ...]:
    """The moves of a game, and its ending."""
    return (*(turn.move for turn in record.turns), str(record.ending))


def player_name(player: str) -> str:
    """A player's name, from its id."""
    return player.removeprefix(REFERENCE)


def opponent_text(opponent: Opponent) -> str:
    """A reference player with its options, e.g. `alphabeta(depth=4)`; a course's own opponent by its name."""
    return opponent.name if opponent.is_own else player_label(opponent.player, opponent.options)


def opponent_key(assignment: Assignment, opponent: Opponent) -> str:
    """A key that distinguishes an opponent from those of other assignments, which may have the same name."""
    return f"{assignment.rules.name}/{opponent.name}/{player_label(opponent.player, opponent.options)}"


def content_key(assignment: Assignment, identity: Mapping[str, Any], **game: Any) -> str:
    """A hash of everything that can affect a game: the assignment, its players, and whatever else is passed.

    `identity` contains at least the version of the `rules` and the isolation level.
    """
    content = {
        "identity": identity,
        "game": [assignment.rules.name, assignment.options],
        "game_file": assignment.rules.digest(),
        "time": _time_identity(assignment.time),
        "limits": assignment.limits.model_dump(),
        "overrun": assignment.overrun,
        "lifetime": assignment.lifetime,
        "extended": assignment.extended_board,
        **game,
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()


def _time_identity(time: MatchTime) -> dict[str, Any]:
    """What can affect a game. The measured speed of a machine is not part of it: a run may be resumed on another one."""
    unscaled = {"reference_speed"} if time.reference_speed is None else set()  # so that older results keep their keys
    return time.model_dump(exclude={"machine_speed", *unscaled})
