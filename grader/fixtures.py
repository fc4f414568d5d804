"""A game to play (`Fixture`) and the same game once it has been played (`Match`), with the seeds and keys of both.

Everything about a fixture is fixed before anything is played: who moves first, each player's seed, and the key under which
the store keeps the result.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from grader.assignment import Assignment, Opponent, player_label
from grader.games import Game
from grader.records import MatchRecord

RULES = 2
"""The version of everything that can change a game. Raise it when old results must no longer be used."""

REFERENCE = "reference/"
"""Ids of reference players and of a course's own opponents begin with this: a submission's id has no slash in it."""

Results = Mapping[str, MatchRecord]
"""Finished games by the key of their fixture; a game that is missing has not been played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """One game that two players are to play."""

    game: str
    """The name of the game, and so of its assignment."""
    players: tuple[str, str]
    """Their ids; the first moves first."""
    number: int
    """Among the games of these two, from 0. Colours alternate."""
    seed: int
    """For the match itself."""
    seeds: tuple[int, int]
    """For each of the two players."""
    key: str
    """What the store knows the game by: a hash of everything that can change it."""
    code: str = ""
    """A hash of the two players' code, which identical submissions share; empty if it plays no part."""
    telling: int | None = None
    """How many games of these two in this order show whether all of them are the same: 1 where neither player uses
    chance. None where games differ anyway: by random numbers, by a reference player's openings, or by learning."""

    @property
    def opening(self) -> int:
        """Which of its openings a reference player takes: the same for both colours."""
        return self.number // 2

    @property
    def seat(self) -> int:
        """Where the submission sits, 0 if both players are submissions."""
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
"""Fixtures that are played in the same processes, one after the other: usually one, a whole series where players learn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A game that counts, as one of its two players sees it."""

    fixture: Fixture
    record: MatchRecord
    game: Game
    seat: int
    """Of the player who sees it."""
    played: bool = True
    """False: these two would only have repeated another game move for move, and the record is of that one."""

    @classmethod
    def of(cls, fixture: Fixture, record: MatchRecord, game: Game, *, seat: int, played: bool = True) -> "Match":
        """A game with its players' own names: identical submissions share the record of a game."""
        names = tuple(map(player_name, fixture.players))
        first, second = record.seats
        if (first.name, second.name) != names:
            record = replace(record, seats=(replace(first, name=names[0]), replace(second, name=names[1])))
        return cls(fixture=fixture, record=record, game=game, seat=seat, played=played)

    @property
    def opponent(self) -> str:
        """The name of the other player."""
        return player_name(self.fixture.players[1 - self.seat])

    @property
    def score(self) -> float:
        """1 if the player won, ½ for a draw, 0 if it lost."""
        return 0.5 if self.record.winner is None else float(self.record.winner == self.seat)

    @property
    def code(self) -> str | tuple[str, str]:
        """What all games have in common in which the same code plays in the same order, whoever submitted it."""
        return self.fixture.code or self.fixture.players

    @property
    def line(self) -> tuple[str, ...]:
        """Its moves and its ending: two games with the same line are repeats of each other."""
        return move_line(self.record)

    def seen_by(self, player: str) -> "Match":
        """The same game as this player sees it."""
        return replace(self, seat=self.fixture.players.index(player))


def move_line(record: MatchRecord) -> tuple[str, ...]:
    """The moves of a game, and how it ended."""
    return (*(turn.move for turn in record.turns), str(record.ending))


def player_name(player: str) -> str:
    """A player's id as it is shown."""
    return player.removeprefix(REFERENCE)


def opponent_text(opponent: Opponent) -> str:
    """A reference player with its options, e.g. `alphabeta(depth=4)`; a course's own opponent by its name."""
    return opponent.name if opponent.is_own else player_label(opponent.player, opponent.options)


def opponent_key(assignment: Assignment, opponent: Opponent) -> str:
    """What tells an opponent from those of other assignments, which may have the same name."""
    return f"{assignment.rules.name}/{opponent.name}/{player_label(opponent.player, opponent.options)}"


def content_key(assignment: Assignment, identity: Mapping[str, Any], **game: Any) -> str:
    """A hash of everything that can change a game: the assignment's part of it, who plays, and what else there is.

    `identity` has at least the version of the `rules` and the isolation level.
    """
    content = {
        "identity": identity,
        "game": [assignment.rules.name, assignment.options],
        "game_file": assignment.rules.digest(),
        "time": assignment.time.model_dump(),
        "limits": assignment.limits.model_dump(),
        "overrun": assignment.overrun,
        "lifetime": assignment.lifetime,
        "extended": assignment.extended_board,
        **game,
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()


def derived_seed(*parts: object) -> int:
    """A seed that depends on these parts and on nothing else."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:4], "big")
