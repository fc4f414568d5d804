"""Everybody who plays in one tournament, and the games that they are to play."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.assignment import Assignment
from grader.competition.pairings import Pair
from grader.competition.prepare import Candidate
from grader.competition.seating import limits_of, opponent_seating, seated
from grader.engine.jobs import UnitJob
from grader.fixtures import RULES, content_key, derived_seed
from grader.inspection.chance import Chance
from grader.inspection.players import ResolvedPlayer
from grader.sandbox.isolation import Level
from grader.sandbox.process import Seating
from grader.scoring.standings import Entrant

REFERENCE = "reference/"
"""What the ids of reference players begin with: a submission's id has no slash in it."""
TELLING = 2
"""Games of the same two in the same order, with different seeds: if they are the same move for move, all others are."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """One game that two entrants are to play."""

    first: str
    """Who moves first."""
    second: str
    number: int
    """Of the games of these two in this order, from 0."""
    key: str
    """What the store knows it by: everything that can change it."""
    seed: int = 0
    code: str = ""
    """Whose code plays whose, whoever has submitted it and whatever its files are called."""
    telling: int | None = None
    """Of the games of these two in this order, so many tell whether all are the same: one, where neither leaves anything to
    chance. None where they differ: by random numbers, by a reference player's openings, or by what was learnt before."""

    @property
    def order(self) -> Pair:
        """Who plays, in this order."""
        return self.first, self.second


Unit = tuple[Encounter, ...]
"""Games that are played in the same processes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """The players of one tournament, by their ids, and the rules by which they play."""

    assignment: Assignment
    level: Level
    submissions: Mapping[str, Candidate]
    references: Mapping[str, ResolvedPlayer]
    reference_digest: str
    """What the reference players are made of."""
    chance: Mapping[str, Chance]
    """What each submission leaves to it."""

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Everybody, the reference players first."""
        return (
            *(Entrant(id=id_, name=player.name, reference=True) for id_, player in self.references.items()),
            *(Entrant(id=id_, name=candidate.submission.name) for id_, candidate in self.submissions.items()),
        )

    @property
    def learning(self) -> bool:
        """Whether players live on from game to game."""
        return self.assignment.lifetime != "game"

    def encounters(self, pair: Pair, games: int, before: int = 0) -> tuple[Encounter, ...]:
        """So many games of a pair, colours in turn; `before` counts those that they are to have played by then."""
        return tuple(
            self._encounter(*(pair if number % 2 == 0 else (pair[1], pair[0])), number // 2, before + games)
            for number in range(before, before + games)
        )

    def job(self, unit: Unit) -> UnitJob:
        """A unit, as a worker plays it."""
        return UnitJob(
            keys=tuple(encounter.key for encounter in unit),
            seeds=tuple(encounter.seed for encounter in unit),
            game=self.assignment.rules,
            seatings=tuple((self._seated(encounter, 0), self._seated(encounter, 1)) for encounter in unit),
            limits=limits_of(self.assignment, self.level),
        )

    def _encounter(self, first: str, second: str, number: int, games: int) -> Encounter:
        players = [self._identity(first), self._identity(second)]
        series = {"series": games} if self.learning else {}
        seed = derived_seed(self._pair_seed((first, second)), number)
        return Encounter(
            first,
            second,
            number,
            content_key(
                self.assignment,
                {"rules": RULES, "players": players, "isolation": str(self.level)},
                tournament=[self.assignment.seed, number],
                seed=seed,
                **series,
            ),
            seed=seed,
            code=hashlib.sha256(f"{self._code(first)} {self._code(second)}".encode()).hexdigest(),
            telling=self._telling((first, second)),
        )

    def _pair_seed(self, pair: Pair) -> int:
        """What the chance in all games of two comes from, in this order: else everybody would draw the same luck in each.

        Their code tells them apart, so that identical submissions share their games.
        """
        players = [self._identity(player) for player in pair]
        return derived_seed(self.assignment.seed, "tournament", json.dumps(players, sort_keys=True))

    def _telling(self, pair: Pair) -> int | None:
        found = {self.chance.get(player, Chance.SOME) for player in pair}  # a reference player varies by its openings
        if self.learning or Chance.SOME in found:
            return None
        return 1 if found == {Chance.NONE} else TELLING

    def _code(self, player: str) -> str:
        return player if player in self.references else self.submissions[player].submission.contents

    def _identity(self, player: str) -> dict[str, Any]:
        """Whatever of a player can change a game."""
        if player in self.references:
            reference = self.references[player]
            own = next(one for one in self.assignment.opponents if REFERENCE + one.name == player)
            return {
                "reference": reference.name,
                "options": dict(reference.options),
                "digest": reference.digest or self.reference_digest,
                **own.model_dump(include={"time", "limits"}, exclude_none=True),
            }
        identity = self.submissions[player].identity
        return {"content": identity["content"], "entry": identity["entry"]}

    def _seated(self, encounter: Encounter, seat: int) -> Seating:
        """Each of the two has chances of its own. A reference player varies by its openings, too."""
        player, player_id = encounter.order[seat], seat + 1
        if player not in self.references:
            return seated(self.submissions[player], player_id, derived_seed(encounter.seed, player_id))
        opponent = next(one for one in self.assignment.opponents if REFERENCE + one.name == player)
        return opponent_seating(
            self.assignment,
            opponent,
            self.references[player],
            self.level,
            player_id=player_id,
            seed=derived_seed(
                self._pair_seed(encounter.order),
                "reference",
                player_id,
                *([encounter.number] if opponent.is_own else []),
            ),
            opening=encounter.number,
        )
