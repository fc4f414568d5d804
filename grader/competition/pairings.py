"""Pair the players of a tournament: a round robin, or Swiss rounds between players with about equal points.

Pairings depend only on the seed and the results. Each pair plays an even number of games, so that both move first equally
often.
"""

import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.seeds import derived_seed

Pair = tuple[str, str]
"""Two players; the first one moves first in their first game."""
Met = Mapping[frozenset[str], int]
"""How often two players have met, for pairs that have."""

_STEPS = 20_000
"""Steps of the search for a round with few rematches, before more rematches are allowed. Small fields need fewer."""
_LEAST = 20
"""Minimum number of steps per player, for each candidate for the bye."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a Swiss tournament."""

    pairs: tuple[Pair, ...]
    bye: str | None = None
    """The player without an opponent in this round."""


def all_pairs(players: Sequence[str], seed: int) -> tuple[Pair, ...]:
    """All pairs of players, in an order that depends on the seed."""
    draw = random.Random(derived_seed(seed, "pairings"))
    pairs = [_draw_colours(pair, draw) for pair in itertools.combinations(sorted(players), 2)]
    draw.shuffle(pairs)
    return tuple(pairs)


def swiss_round(number: int, points: Mapping[str, float], met: Met, byes: Mapping[str, int], seed: int) -> Round:
    """Pair players with about equal points, with as few rematches as possible.

    If their number is odd, the bye goes to a player with the fewest byes so far, and of those to the one with the fewest
    points.
    """
    draw = random.Random(derived_seed(seed, "round", number))
    lots = {player: draw.random() for player in sorted(points)}
    players = sorted(points, key=lambda player: (-points[player], lots[player]))
    idle = _bye_candidates(players, byes)
    steps = max(_STEPS // len(idle), _LEAST * len(players))
    few, most = -1, 0
    # With enough rematches, all players can be paired.
    while (found := _find_round(players, idle, met, most, steps)) is None:
        few, most = most, max(1, 2 * most)
    while most - few > 1:
        between = (few + most) // 2
        fewer = _find_round(players, idle, met, between, steps)
        few, most, found = (between, most, found) if fewer is None else (few, between, fewer)
    return Round(tuple(_draw_colours(pair, draw) for pair in _avoid_rematches(found.pairs, met)), found.bye)


def _find_round(players: Sequence[str], idle: Sequence[str | None], met: Met, most: int, steps: int) -> Round | None:
    """A round with at most `most` rematches, if one is found."""
    for bye in idle:
        pairs = _find_pairs([player for player in players if player != bye], met, most, steps)
        if pairs is not None:
            return Round(tuple(pairs), bye)
    return None


def _draw_colours(pair: Pair, draw: random.Random) -> Pair:
    return pair if draw.random() < 0.5 else (pair[1], pair[0])


def _bye_candidates(players: Sequence[str], byes: Mapping[str, int]) -> list[str | None]:
    """The players who may get the bye, the best candidate first; only None if their number is even."""
    if len(players) % 2 == 0:
        return [None]
    place = {player: at for at, player in enumerate(players)}
    return [*sorted(players, key=lambda player: (byes.get(player, 0), -place[player]))]


def _find_pairs(players: Sequence[str], met: Met, most: int, steps: int) -> list[Pair] | None:
    """Pair the first player with the nearest one for which the rest can be paired, with at most `most` rematches."""
    trail: list[tuple[Sequence[str], int, int]] = []
    left, at, rematches = players, 0, 0
    for _ in range(steps):
        if not left:
            return [(there[0], there[other]) for there, other, _ in trail]
        at += 1
        if at == len(left):  # no opponent is left for the first player: go back and change the pair before
            if not trail:
                return None
            left, at, rematches = trail.pop()
        elif (again := rematches + _rematch_cost(left[0], left[at], met)) <= most:
            trail.append((left, at, rematches))
            left, at, rematches = [*left[1:at], *left[at + 1 :]], 0, again
    return None


def _avoid_rematches(pairs: Sequence[Pair], met: Met) -> list[Pair]:
    """Reduce rematches by exchanging opponents between pairs: the search may have run out of steps."""
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
    """The cost of a pair: the square of its meetings, so that a pair that has met often is avoided most."""
    return met.get(frozenset((one, other)), 0) ** 2
