"""Hundreds of random fills of one Hex position at once, decided by a single flood.

Each cell has one integer: bit k says who gets the cell in fill k, 1 for player 1. A stone is all ones or all zeros.
Who has connected is then found for every fill together, cell by cell instead of fill by fill. As no fill has two
winners and none has no winner, it is enough to ask for player 1.
"""

import random
from collections.abc import Sequence
from functools import cached_property, reduce
from itertools import cycle
from operator import or_

from reference_players.search.bridges import Pairs
from reference_players.search.geometry import HexGeometry, Links, each_bit, place


class Percolation:
    """The fills of one position. `place_stone` gives those of a position after it, on the same random numbers."""

    def __init__(self, geometry: HexGeometry, empty: int, cells: list[int], every: int, paired: int = 0) -> None:
        self.geometry = geometry
        self.paired = paired
        self.empty = empty
        self.cells = cells
        """By place: the fills in which player 1 gets the cell."""
        self.every = every
        """All fills: a one for each."""

    @classmethod
    def of(
        cls, geometry: HexGeometry, one: int, two: int, rng: random.Random, count: int, pairs: Pairs = ()
    ) -> "Percolation":
        """`count` fills, in each of which every empty cell is either player's with the same chance.

        Of a pair of cells, each player gets one; a cell that is in two pairs counts for the first.
        """
        every = (1 << count) - 1
        cells = [0] * geometry.width
        for at in geometry.places:
            cells[at] = every if one >> at & 1 else 0 if two >> at & 1 else rng.getrandbits(count)
        fills = cls(geometry, geometry.grid.full & ~(one | two), cells, every)
        fills._share(pairs)
        return fills

    def place_stone(self, bit: int, player: int, pairs: Pairs = ()) -> "Percolation":
        """The same fills with a stone of `player` on an empty cell, and with these pairs of cells shared."""
        cells = self.cells.copy()
        cells[place(bit)] = self.every if player == 1 else 0
        fills = Percolation(self.geometry, self.empty & ~bit, cells, self.every, self.paired)
        fills._share(pairs)
        return fills

    def _share(self, pairs: Pairs) -> None:
        """Give each player one cell of each pair. A cell that is in two pairs counts for the first."""
        for pair in pairs:
            if not pair & self.paired:
                first, second = map(place, each_bit(pair))
                self.cells[second] = self.every & ~self.cells[first]
                self.paired |= pair

    def won(self, player: int) -> int:
        """The fills that a player wins."""
        connected = self._connected
        return connected if player == 1 else self.every & ~connected

    def odds(self, player: int) -> dict[int, float]:
        """For each empty cell, the share of fills that a player wins among those in which the cell is its own."""
        won = self.won(player)
        theirs = 0 if player == 1 else self.every
        found = {}
        for bit in each_bit(self.empty):
            mine = self.cells[place(bit)] ^ theirs
            found[bit] = (won & mine).bit_count() / (mine.bit_count() or 1)
        return found

    @cached_property
    def _connected(self) -> int:
        """The fills in which player 1 connects."""
        cells, shape = self.cells, self.geometry
        reached = [0] * (shape.width + 1)
        for at in shape.by_column[: shape.grid.size]:
            reached[at] = cells[at]
        # To and fro between the edges: what one sweep leaves out, such as a way that turns back, the next one finds.
        orders = cycle((shape.by_column, shape.by_column[::-1]))
        while _sweep(cells, reached, shape.links, next(orders)):
            pass
        return reduce(or_, (reached[at] for at in shape.by_column[-shape.grid.size :]))


def _sweep(cells: list[int], reached: list[int], links: tuple[Links, ...], order: Sequence[int]) -> bool:
    """Let each cell in turn be reached from its neighbours. Whether anything new was."""
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
