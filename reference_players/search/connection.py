"""Compute how many stones a player still needs to connect its sides.

A wave starts at one edge. It passes through the player's own stones at no cost and enters empty cells at a cost of one; the
opponent's stones block it. All cells of a wave advance at once, as bits of one integer.
"""

from typing import NamedTuple

from grader.games.hex.grid import HexGrid

CUT_OFF = 10_000
"""The distance of a player that can no longer connect, because the opponent has."""


def shortest_connection(grid: HexGrid, mine: int, theirs: int, player: int) -> int:
    """The least number of empty cells that `player` must fill to connect its sides; 0 if they are connected."""
    near, far = grid.sides(player)
    spread = grid.spread
    passable = grid.full & ~theirs
    reached = cost = 0
    while not reached & far:
        grown = (spread(reached) | near) & passable
        own = grown & mine & ~reached
        if own:
            reached |= own
        elif grown != reached:
            reached = grown
            cost += 1
        else:
            return CUT_OFF
    return cost


def waves(grid: HexGrid, mine: int, theirs: int, edge: int) -> list[int]:
    """The cells by their cost from an edge: entry k contains the cells that k stones connect to it."""
    spread = grid.spread
    passable = grid.full & ~theirs
    found = []
    reached = earlier = 0
    while True:
        grown = (spread(reached) | edge) & passable
        own = grown & mine & ~reached
        if own:
            reached |= own
            continue
        found.append(reached & ~earlier)
        if grown == reached:
            return found
        earlier, reached = reached, grown


class Paths(NamedTuple):
    """A player's paths between its sides, by their cost."""

    distance: int
    """The cost of the shortest path, or `CUT_OFF`."""
    through: list[int]
    """Entry k contains the empty cells for which the shortest path through them costs k."""
    needed: int
    """The cells that lie on every shortest path."""


def paths(grid: HexGrid, mine: int, theirs: int, player: int, slack: int) -> Paths:
    """The paths through all empty cells for which they cost at most `slack` more than the shortest."""
    near, far = grid.sides(player)
    out, back = waves(grid, mine, theirs, near), waves(grid, mine, theirs, far)
    distance = next((cost for cost, cells in enumerate(out) if cells & far), CUT_OFF)
    if distance in (0, CUT_OFF):
        return Paths(distance, [], 0)
    empty = grid.full & ~(mine | theirs)
    through = [0] * (distance + slack + 1)
    needed = 0
    for cost in range(1, len(out)):
        cells = out[cost] & empty
        # The cost of the cell itself is counted in both directions.
        for other in range(max(1, distance + 1 - cost), min(len(back), distance + slack + 2 - cost)):
            through[cost + other - 1] |= cells & back[other]
        on_shortest = cells & through[distance]
        if on_shortest and not on_shortest & on_shortest - 1:
            needed |= on_shortest
    return Paths(distance, through, needed)
