"""Which moves of a Hex position look promising, before any of them is searched."""

from dataclasses import dataclass

from reference_players.search.bridges import built
from reference_players.search.connection import Paths, paths
from reference_players.search.geometry import HexGeometry, each_bit, place

SLACK = 3
"""Cells through which a player's shortest way is this much longer than need be are still looked at."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What a cell counts beside the shortest ways of both players through it, each step of which counts one against."""

    bridge: float = 0.5
    """For a bridge that a stone there would make, two at most."""
    neighbour: float = 0.2
    """For an own stone next to it."""
    centre: float = 0.1
    """Against it, for each step from the centre."""
    mobility: float = 0.0
    """For an empty cell next to it."""
    edge: float = 0.0
    """Against it, for each step from the nearer of the own edges."""


def promising(geometry: HexGeometry, mine: int, theirs: int, player: int, weights: Weights, enough: int) -> list[int]:
    """Some of the moves, the best first: at least `enough` where there are so many, and never none.

    A won or lost game in one is no matter of taste: then only the moves that win, or else those that prevent it.
    """
    own = paths(geometry.grid, mine, theirs, player, SLACK)
    other = paths(geometry.grid, theirs, mine, 3 - player, SLACK)
    for decisive in (own, other):
        if decisive.distance == 1:
            return list(each_bit(decisive.through[1]))
    scores: dict[int, float] = {}
    for total, cells in _by_both_ways(own, other):
        for bit in each_bit(cells):
            scores[bit] = _bonus(geometry, mine, mine | theirs, bit, player, weights) - total
        if len(scores) >= enough:
            break
    return sorted(scores, key=lambda bit: -scores[bit])


def _by_both_ways(own: Paths, other: Paths) -> list[tuple[int, int]]:
    """The sum of both players' shortest ways through a cell, and the cells of that sum, the least first.

    Never empty: whatever ways the two players take, they cross on an empty cell.
    """
    shortest = own.distance + other.distance
    found = []
    for more in range(2 * SLACK + 1):
        cells = 0
        for mine in range(max(0, more - SLACK), min(more, SLACK) + 1):
            cells |= own.through[own.distance + mine] & other.through[other.distance + more - mine]
        found.append((shortest + more, cells))
    return found


def _bonus(geometry: HexGeometry, mine: int, taken: int, bit: int, player: int, weights: Weights) -> float:
    at = place(bit)
    near = geometry.neighbours[at]
    bonus = (
        weights.bridge * min(2, len(built(geometry, mine, taken, bit, player)))
        + weights.neighbour * (near & mine).bit_count()
        - weights.centre * geometry.from_centre[at]
    )
    if weights.mobility:
        bonus += weights.mobility * (near & ~taken).bit_count()
    if weights.edge:
        along = geometry.cell(bit)[2 - player]
        bonus -= weights.edge * min(along, geometry.grid.size - 1 - along)
    return bonus
