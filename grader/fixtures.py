"""Who plays whom: from an assignment and a submission to fixtures, fixed before anything is played.

Colours alternate, and both colours see the same openings. It is the reference player that varies from game to game, never
the student's position; seeds come from the run's seed, the opponent and the number of the game, never from the student.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.assignment import Assignment, Opponent, player_label

RULES = 2
"""The version of everything here that can change a game. Raise it when old results must not be used any more.

It is part of a player's identity, so that old results can still be verified by the rules of then.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """One game that a submission is to play."""

    submission: str
    """Its id."""
    opponent: int
    """Index into the assignment's opponents."""
    number: int
    """Of the game against that opponent, from 0."""
    seat: int
    """Where the student sits: 0 moves first."""
    opening: int
    """Which of its openings the reference player takes."""
    seed: int
    """For the student's player."""
    opponent_seed: int
    """For the reference player: the same in all its games against a submission, so that its openings differ."""
    key: str
    """What the store knows the game by: everything that can change it."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Fixtures that are played in the same processes, one after the other: one, or a whole pairing of one colour."""

    fixtures: tuple[Fixture, ...]

    @property
    def key(self) -> str:
        """What the store knows it by."""
        return self.fixtures[0].key


def fixtures(assignment: Assignment, submission: str, identity: Mapping[str, Any]) -> tuple[Fixture, ...]:
    """Every game of a submission, in the order in which they count.

    `identity` is whatever else can change a game: the content of the submission, the reference players, the isolation.
    """
    return tuple(
        _fixture(assignment, submission, identity, at, number)
        for at, opponent in enumerate(assignment.opponents)
        for number in range(opponent.games)
    )


def units(assignment: Assignment, planned: tuple[Fixture, ...]) -> tuple[Unit, ...]:
    """The fixtures as units of work."""
    if assignment.lifetime == "game":
        return tuple(Unit((fixture,)) for fixture in planned)
    series: dict[tuple[int, int], list[Fixture]] = {}
    for fixture in planned:
        series.setdefault((fixture.opponent, fixture.seat), []).append(fixture)
    return tuple(Unit(tuple(part)) for part in series.values())


def content_key(assignment: Assignment, identity: Mapping[str, Any], **game: Any) -> str:
    """A hash of everything that can change a game: the assignment's part of it, who plays, and what else there is."""
    content = {
        "rules": identity.get("rules", 1),  # the first of them were not kept
        "identity": {name: value for name, value in identity.items() if name not in ("rules", "opponents")},
        "game": [assignment.rules.name, assignment.options],
        **({"game_file": digest} if (digest := assignment.rules.digest()) else {}),
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


def _fixture(assignment: Assignment, submission: str, identity: Mapping[str, Any], at: int, number: int) -> Fixture:
    opponent = assignment.opponents[at]
    name = rival(opponent)
    seat, opening = number % 2, number // 2
    seed = derived_seed(assignment.seed, name, number)
    # A reference player varies by its openings; a course's own may know nothing of them, and varies by its seed.
    opponent_seed = (
        derived_seed(assignment.seed, name, opening) if opponent.is_own else derived_seed(assignment.seed, name)
    )
    series: dict[str, Any] = {} if assignment.lifetime == "game" else {"series": [number, opponent.games]}
    own = identity.get("opponents", {}).get(name)  # a changed opponent changes its own games only
    allowed = opponent.model_dump(include={"time", "limits"}, exclude_none=True)
    key = content_key(
        assignment,
        identity,
        opponent=name,
        seat=seat,
        opening=opening,
        seed=seed,
        opponent_seed=opponent_seed,
        **series,
        **({"opponent_content": own} if own else {}),
        **({"opponent_allowed": allowed} if any(allowed.values()) else {}),
    )
    return Fixture(
        submission=submission,
        opponent=at,
        number=number,
        seat=seat,
        opening=opening,
        seed=seed,
        opponent_seed=opponent_seed,
        key=key,
    )


def rival(opponent: Opponent) -> str:
    """A reference player with its options, as `alphabeta(depth=4)`; a course's own by its name, wherever its file is."""
    return opponent.name if opponent.is_own else player_label(opponent.player, opponent.options)


def rival_key(assignment: Assignment, opponent: Opponent) -> str:
    """An opponent among those of several assignments: two games may each have a player of one name."""
    return f"{assignment.rules.name}/{opponent.name}"
