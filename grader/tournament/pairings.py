"""Who meets whom: all against all, or round by round those who have as many points. Seeded, and nothing else decides.

Whoever meets plays an even number of games, half of them moving first, so that colours are balanced in every round.
"""

import itertools
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from grader.schedule import derived_seed

Pair = tuple[str, str]
"""Two entrants, the first of whom moves first in their first game."""

_STEPS = 20_000
"""After so many tries for a round with few rematches, more are allowed. Small fields are searched whole in fewer."""
_LEAST = 20
"""As many tries for each player, at least, for each who may have the bye."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a Swiss tournament."""

    pairs: tuple[Pair, ...]
    bye: str | None = None
    """Who has no opponent in it."""


def all_pairs(players: Sequence[str], seed: int) -> tuple[Pair, ...]:
    """Everybody against everybody, in an order that the seed decides."""
    draw = random.Random(derived_seed(seed, "pairings"))
    pairs = [_ordered(pair, draw) for pair in itertools.combinations(sorted(players), 2)]
    draw.shuffle(pairs)
    return tuple(pairs)


def swiss_round(
    number: int, points: Mapping[str, float], met: Collection[frozenset[str]], byes: Mapping[str, int], seed: int
) -> Round:
    """Pair those who have about as many points, with as few rematches as can be found.

    With an odd number, the bye goes to who has had the fewest, and of those to the one with the fewest points.
    """
    draw = random.Random(derived_seed(seed, "round", number))
    lots = {player: draw.random() for player in sorted(points)}
    players = sorted(points, key=lambda player: (-points[player], lots[player]))
    rematches, idle = 0, _byes(players, byes)
    steps = max(_STEPS // len(idle), _LEAST * len(players))
    while True:  # where all may meet again, everybody can be paired
        for bye in idle:
            left = [player for player in players if player != bye]
            if (pairs := _matched(left, met, rematches, steps)) is not None:
                return Round(tuple(_ordered(pair, draw) for pair in pairs), bye)
        rematches = max(1, 2 * rematches)


def _ordered(pair: Pair, draw: random.Random) -> Pair:
    return pair if draw.random() < 0.5 else (pair[1], pair[0])


def _byes(players: Sequence[str], byes: Mapping[str, int]) -> list[str | None]:
    """Who may have the bye, the likeliest first; nobody, if the number is even."""
    if len(players) % 2 == 0:
        return [None]
    place = {player: at for at, player in enumerate(players)}
    return [*sorted(players, key=lambda player: (byes.get(player, 0), -place[player]))]


def _matched(players: Sequence[str], met: Collection[frozenset[str]], most: int, steps: int) -> list[Pair] | None:
    """Pair the first with the nearest that leaves the others something to be paired with, with so many rematches at most."""
    taken = itertools.count()

    def search(left: Sequence[str], rematches: int) -> list[Pair] | None:
        if not left:
            return []
        for at, other in enumerate(left[1:], 1):
            if next(taken) > steps:
                return None
            again = frozenset((left[0], other)) in met
            if again <= rematches:
                rest = search([*left[1:at], *left[at + 1 :]], rematches - again)
                if rest is not None:
                    return [(left[0], other), *rest]
        return None

    return search(players, most)
