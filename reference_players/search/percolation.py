"""Evaluate thousands of random fills of a Hex position at once.

Each cell has one integer: bit k says who gets the cell in fill k, 1 for player 1. A stone is all ones or all zeros. One
flood, cell by cell, then finds the winners of all fills together. Every fill has exactly one winner, so it is enough to
compute where player 1 connects.
"""

import random
from collections.abc import Sequence
from functools import cached_property, reduce
from itertools import cycle
from operator import or_

from grader.games.hex.grid import each_bit
from reference_players.search.bridges import Pairs
from reference_players.search.geometry import HexGeometry, Links, place


class Noise:
    """Random fills of an empty board, which many positions can share."""

    def __init__(self, geometry: HexGeometry, count: int, rng: random.Random) -> None:
        self.geometry = geometry
        self.every = (1 << count) - 1
        """The set of all fills: one bit for each."""
        self.cells = [0] * geometry.width
        for at in geometry.places:
            self.cells[at] = rng.getrandbits(count)


class Percolation:
    """The random fills of one position."""

    def __init__(self, noise: Noise, one: int, two: int, pairs: Pairs = ()) -> None:
        """Each player gets one cell of each pair; a pair that shares a cell with an earlier one is ignored."""
        self.geometry, self.every = noise.geometry, noise.every
        self.empty = self.geometry.grid.full & ~(one | two)
        self.cells = noise.cells.copy()
        """For each place, the fills in which player 1 gets the cell."""
        for bit in each_bit(one):
            self.cells[place(bit)] = self.every
        for bit in each_bit(two):
            self.cells[place(bit)] = 0
        shared = 0
        for pair in pairs:
            if not pair & shared:
                first, second = map(place, each_bit(pair))
                self.cells[second] = self.every & ~self.cells[first]
                shared |= pair

    def wins(self, player: int) -> int:
        """The fills that a player wins."""
        connected = self._connected_fills
        return connected if player == 1 else self.every & ~connected

    def odds(self, player: int) -> dict[int, float]:
        """For each empty cell, the share of fills that a player wins among those in which it gets the cell."""
        won = self.wins(player)
        theirs = 0 if player == 1 else self.every
        found = {}
        for bit in each_bit(self.empty):
            mine = self.cells[place(bit)] ^ theirs
            found[bit] = (won & mine).bit_count() / (mine.bit_count() or 1)
        return found

    @cached_property
    def _connected_fills(self) -> int:
        """The fills in which player 1 connects."""
        cells, shape = self.cells, self.geometry
        reached = [0] * (shape.width + 1)
        for at in shape.by_column[: shape.grid.size]:
            reached[at] = cells[at]
        # Sweep back and forth between the edges: a path that turns back is found by the next sweep.
        orders = cycle((shape.by_column, shape.by_column[::-1]))
        while _sweep(cells, reached, shape.links, next(orders)):
            pass
        return reduce(or_, (reached[at] for at in shape.by_column[-shape.grid.size :]))


def _sweep(cells: list[int], reached: list[int], links: tuple[Links, ...], order: Sequence[int]) -> bool:
    """Update the fills in which each cell is reached from its neighbours. Returns whether anything changed."""
    changed = False
    for at in order:
        mine, before = cells[at], reached[at]
        if before != mine:
            a, b, c, d, e, f = links[at]
            after = mine & (before | reached[a] | reached[b] | reached[c] | reached[d] | reached[e] | reached[f])
            if after != before:
                reached[at] = after
                changed = True
    return changed
