"""Everybody who plays in one tournament, and the games that they are to play."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.assignment import Assignment
from grader.engine.jobs import UnitJob
from grader.games import make_game
from grader.intake.players import Contender
from grader.pipeline.play import limits_of, seated
from grader.pipeline.prepare import Candidate
from grader.sandbox.isolation import Level
from grader.sandbox.process import Seating
from grader.schedule import RULES, content_key, derived_seed
from grader.standings import Entrant
from grader.tournament.pairings import Pair

REFERENCE = "reference/"
"""What the ids of reference players begin with: a submission's id has no slash in it."""


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
    alike: bool = False
    """The games of these two in this order are the same one: neither player leaves anything to chance."""

    @property
    def order(self) -> Pair:
        """Who plays, in this order."""
        return self.first, self.second


Unit = tuple[Encounter, ...]
"""Games that are played in the same processes."""


def game_seed(seed: int, encounter: Encounter) -> int:
    """The seed of a game: from that of the tournament and the game's number, never from who plays."""
    return derived_seed(seed, "tournament", encounter.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """The players of one tournament, by their ids, and the rules by which they play."""

    assignment: Assignment
    level: Level
    submissions: Mapping[str, Candidate]
    references: Mapping[str, Contender]
    reference_digest: str
    """What the reference players are made of."""
    certain: frozenset[str] = frozenset()
    """The submissions that leave nothing to chance."""

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
        seed = self.assignment.seed
        return UnitJob(
            keys=tuple(encounter.key for encounter in unit),
            seeds=tuple(game_seed(seed, encounter) for encounter in unit),
            game=make_game(self.assignment.game, self.assignment.options),
            seatings=tuple(
                (
                    self._seated(encounter.first, 1, encounter.number),
                    self._seated(encounter.second, 2, encounter.number),
                )
                for encounter in unit
            ),
            limits=limits_of(self.assignment, self.level),
        )

    def _encounter(self, first: str, second: str, number: int, games: int) -> Encounter:
        series = {"series": games} if self.learning else {}
        key = content_key(
            self.assignment,
            {
                "rules": RULES,
                "players": [self._identity(first), self._identity(second)],
                "isolation": str(self.level),
            },
            tournament=[self.assignment.seed, number],
            **series,
        )
        return Encounter(first, second, number, key, alike=self.certain >= {first, second} and not self.learning)

    def _identity(self, player: str) -> dict[str, Any]:
        """Whatever of a player can change a game."""
        if player in self.references:
            return {"reference": self.references[player].name, "digest": self.reference_digest}
        identity = self.submissions[player].identity
        return {"content": identity["content"], "entry": identity["entry"]}

    def _seated(self, player: str, player_id: int, number: int) -> Seating:
        """Seeds come from the number of the game, never from who plays. A reference player varies by its openings."""
        seed = self.assignment.seed
        if player not in self.references:
            return seated(self.submissions[player], player_id, derived_seed(seed, "tournament", number, player_id))
        reference = self.references[player]
        assert reference.entry is not None
        return Seating(
            name=reference.name,
            entry=reference.entry.as_order(),
            player_id=player_id,
            seed=derived_seed(seed, reference.name),
            options={**reference.options, "opening": number},
            reference=True,
        )
