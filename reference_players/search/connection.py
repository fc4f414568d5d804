"""How many stones a player still needs to connect its sides, found by waves instead of a queue.

A wave starts at one edge. It runs through own stones at no cost and steps into empty cells at a cost of one; the
opponent's stones stop it. All cells of a wave move at once, as bits of one integer.
"""

from typing import NamedTuple

from grader.games.hex.grid import HexGrid

CUT_OFF = 10_000
"""The distance of a player that cannot connect any more, because the opponent has."""


def shortest_connection(grid: HexGrid, mine: int, theirs: int, player: int) -> int:
    """The fewest empty cells that `player` has to fill to connect its sides; 0 if it has."""
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
    """The cells by their cost from an edge: entry k holds those that k stones connect to it."""
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
    """A player's ways to connect, by what they cost."""

    distance: int
    """The cost of the shortest, or `CUT_OFF`."""
    through: list[int]
    """Entry k holds the empty cells through which the shortest way costs k, down to the player's very edges."""
    needed: int
    """The cells that lie on every shortest way."""


def paths(grid: HexGrid, mine: int, theirs: int, player: int, slack: int) -> Paths:
    """Every empty cell through which a way costs at most `slack` more than the shortest."""
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
        # A cell is paid for on the way out and on the way back.
        for other in range(max(1, distance + 1 - cost), min(len(back), distance + slack + 2 - cost)):
            through[cost + other - 1] |= cells & back[other]
        on_shortest = cells & through[distance]
        if on_shortest and not on_shortest & on_shortest - 1:
            needed |= on_shortest
    return Paths(distance, through, needed)
