"""Rank the moves of a Hex position before any of them is searched."""

from dataclasses import dataclass

from grader.games.hex.grid import each_bit
from reference_players.search.bridges import new_bridges
from reference_players.search.connection import Paths, paths
from reference_players.search.geometry import HexGeometry, place

SLACK = 3
"""Cells through which a player's shortest way is this much longer than need be are still looked at by `rank_promising_moves`."""
TINY = 1e-9
"""More than the rounding of a score."""


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


def rank_all_moves(
    geometry: HexGeometry, mine: int, theirs: int, player: int, weights: Weights, count: int
) -> list[int]:
    """The `count` moves of the highest score among all that there are, the best first; of equals, row by row.

    A cell through which a player has no way at all counts as many steps as the board has cells.
    """
    grid = geometry.grid
    empty, no_way = grid.full & ~(mine | theirs), grid.size**2
    levels: dict[int, int] = {}
    others = _by_cost(paths(grid, theirs, mine, 3 - player, no_way), empty, no_way)
    for cost, cells in _by_cost(paths(grid, mine, theirs, player, no_way), empty, no_way):
        for other_cost, other_cells in others:
            if both := cells & other_cells:
                levels[cost + other_cost] = levels.get(cost + other_cost, 0) | both
    highest = 2 * weights.bridge + 6 * max(weights.neighbour, weights.mobility)
    scores: dict[int, float] = {}
    for total in sorted(levels):
        # What is left can be left out once no bonus could lift it among the best.
        if len(scores) >= count and highest - total < sorted(scores.values())[-count] - TINY:
            break
        for bit in each_bit(levels[total]):
            scores[bit] = _bonus(geometry, mine, mine | theirs, bit, player, weights) - total
    return sorted(scores, key=lambda bit: (-scores[bit], bit))[:count]


def _by_cost(ways: Paths, empty: int, no_way: int) -> list[tuple[int, int]]:
    """What the shortest way through a cell costs, and the cells of that cost."""
    found = [(cost, cells) for cost, cells in enumerate(ways.through) if cells]
    for _, cells in found:
        empty &= ~cells
    return [*found, (no_way, empty)] if empty else found


def rank_promising_moves(
    geometry: HexGeometry, mine: int, theirs: int, player: int, weights: Weights, enough: int
) -> list[int]:
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
        weights.bridge * min(2, len(new_bridges(geometry, mine, taken, bit, player)))
        + weights.neighbour * (near & mine).bit_count()
        - weights.centre * geometry.from_centre[at]
    )
    if weights.mobility:
        bonus += weights.mobility * (near & ~taken).bit_count()
    if weights.edge:
        along = geometry.cell(bit)[2 - player]
        bonus -= weights.edge * min(along, geometry.grid.size - 1 - along)
    return bonus
