"""Rank the moves of a Hex position by heuristics, before any of them is searched."""

from dataclasses import dataclass

from grader.games.hex.grid import each_bit
from reference_players.search.bridges import new_bridges
from reference_players.search.connection import Paths, paths
from reference_players.search.geometry import HexGeometry, place

SLACK = 3
"""`rank_promising_moves` considers cells for which the shortest path through them is up to this much longer."""
TINY = 1e-9
"""A tolerance for the rounding of scores."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a cell's features. Each step of both players' shortest paths through the cell counts −1."""

    bridge: float = 0.5
    """For each bridge that a stone there would form, up to two."""
    neighbour: float = 0.2
    """For each own stone next to it."""
    centre: float = 0.1
    """Negative, for each step from the centre."""
    mobility: float = 0.0
    """For each empty cell next to it."""
    edge: float = 0.0
    """Negative, for each step from the nearer of the player's own edges."""


def rank_all_moves(
    geometry: HexGeometry, mine: int, theirs: int, player: int, weights: Weights, count: int
) -> list[int]:
    """The `count` moves with the highest scores among all moves, best first; equal ones row by row.

    If a player has no path through a cell, it counts as many steps as the board has cells.
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
        # Stop when no bonus could raise the remaining moves into the best ones.
        if len(scores) >= count and highest - total < sorted(scores.values())[-count] - TINY:
            break
        for bit in each_bit(levels[total]):
            scores[bit] = _bonus(geometry, mine, mine | theirs, bit, player, weights) - total
    return sorted(scores, key=lambda bit: (-scores[bit], bit))[:count]


def _by_cost(ways: Paths, empty: int, no_way: int) -> list[tuple[int, int]]:
    """The costs of the shortest paths through cells, each with the cells of that cost."""
    found = [(cost, cells) for cost, cells in enumerate(ways.through) if cells]
    for _, cells in found:
        empty &= ~cells
    return [*found, (no_way, empty)] if empty else found


def rank_promising_moves(
    geometry: HexGeometry, mine: int, theirs: int, player: int, weights: Weights, enough: int
) -> list[int]:
    """The most promising moves, best first: at least `enough` if there are that many, and always at least one.

    If a player can win in one move, only the moves that win, or else those that prevent the loss, are returned.
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
    """The sums of both players' shortest paths through cells, each with the cells of that sum, the smallest first.

    Never empty: any two paths of the two players cross at an empty cell.
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
