"""Who meets whom: all against all, or round by round those who have as many points. Seeded, and nothing else decides.

Whoever meets plays an even number of games, half of them moving first, so that colours are balanced in every round.
"""

import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.fixtures import derived_seed

Pair = tuple[str, str]
"""Two entrants, the first of whom moves first in their first game."""
Met = Mapping[frozenset[str], int]
"""How often two have met, of those who have."""

_STEPS = 20_000
"""After so many steps towards a round with few rematches, more are allowed. Small fields are searched whole in fewer."""
_LEAST = 20
"""As many steps for each player, at least, for each who may have the bye."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a Swiss tournament."""

    pairs: tuple[Pair, ...]
    bye: str | None = None
    """Who has no opponent in it."""


def all_pairs(players: Sequence[str], seed: int) -> tuple[Pair, ...]:
    """Everybody against everybody, in an order that the seed decides."""
    draw = random.Random(derived_seed(seed, "pairings"))
    pairs = [_draw_colours(pair, draw) for pair in itertools.combinations(sorted(players), 2)]
    draw.shuffle(pairs)
    return tuple(pairs)


def swiss_round(number: int, points: Mapping[str, float], met: Met, byes: Mapping[str, int], seed: int) -> Round:
    """Pair those who have about as many points, with as few rematches as can be found.

    With an odd number, the bye goes to who has had the fewest, and of those to the one with the fewest points.
    """
    draw = random.Random(derived_seed(seed, "round", number))
    lots = {player: draw.random() for player in sorted(points)}
    players = sorted(points, key=lambda player: (-points[player], lots[player]))
    idle = _bye_candidates(players, byes)
    steps = max(_STEPS // len(idle), _LEAST * len(players))
    few, most = -1, 0
    # Where all may meet again, everybody can be paired.
    while (found := _find_round(players, idle, met, most, steps)) is None:
        few, most = most, max(1, 2 * most)
    while most - few > 1:
        between = (few + most) // 2
        fewer = _find_round(players, idle, met, between, steps)
        few, most, found = (between, most, found) if fewer is None else (few, between, fewer)
    return Round(tuple(_draw_colours(pair, draw) for pair in _avoid_rematches(found.pairs, met)), found.bye)


def _find_round(players: Sequence[str], idle: Sequence[str | None], met: Met, most: int, steps: int) -> Round | None:
    """A round with so many rematches at most, if one is found."""
    for bye in idle:
        pairs = _find_pairs([player for player in players if player != bye], met, most, steps)
        if pairs is not None:
            return Round(tuple(pairs), bye)
    return None


def _draw_colours(pair: Pair, draw: random.Random) -> Pair:
    return pair if draw.random() < 0.5 else (pair[1], pair[0])


def _bye_candidates(players: Sequence[str], byes: Mapping[str, int]) -> list[str | None]:
    """Who may have the bye, the likeliest first; nobody, if the number is even."""
    if len(players) % 2 == 0:
        return [None]
    place = {player: at for at, player in enumerate(players)}
    return [*sorted(players, key=lambda player: (byes.get(player, 0), -place[player]))]


def _find_pairs(players: Sequence[str], met: Met, most: int, steps: int) -> list[Pair] | None:
    """Pair the first with the nearest that leaves the others something to be paired with, with so many rematches at most."""
    trail: list[tuple[Sequence[str], int, int]] = []
    left, at, rematches = players, 0, 0
    for _ in range(steps):
        if not left:
            return [(there[0], there[other]) for there, other, _ in trail]
        at += 1
        if at == len(left):  # nobody is left for the first: the one before has to be paired otherwise
            if not trail:
                return None
            left, at, rematches = trail.pop()
        elif (again := rematches + _rematch_cost(left[0], left[at], met)) <= most:
            trail.append((left, at, rematches))
            left, at, rematches = [*left[1:at], *left[at + 1 :]], 0, again
    return None


def _avoid_rematches(pairs: Sequence[Pair], met: Met) -> list[Pair]:
    """The same round with fewer rematches, where two pairs can exchange opponents: the search may have run out of steps."""
    found, changed = list(pairs), True
    while changed:
        changed = False
        again = [at for at, pair in enumerate(found) if _rematch_cost(*pair, met)]
        for one, other in itertools.product(again, range(len(found))):
            (a, b), (c, d) = found[one], found[other]
            now = _rematch_cost(a, b, met) + _rematch_cost(c, d, met)
            for first, second in (((a, c), (b, d)), ((a, d), (b, c))) if one != other else ():
                if _rematch_cost(*first, met) + _rematch_cost(*second, met) < now:
                    found[one], found[other], changed = first, second, True
                    break
    return found


def _rematch_cost(one: str, other: str, met: Met) -> int:
    """What it costs to have two meet. Squared: a pair that has met often is avoided more than several that have met once."""
    return met.get(frozenset((one, other)), 0) ** 2
