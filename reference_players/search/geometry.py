"""Tables of a Hex board: neighbours, bridges and distances from the centre, for both adjacencies."""

from collections.abc import Iterator
from functools import cache

from grader.games.hex import HexBoard
from grader.games.hex.grid import HexGrid, each_bit, hex_grid

Bridge = tuple[int, int]
"""A far cell, and the two cells between. If an opponent takes one of the two, the other still connects.

The far cell of a bridge to an edge is 0: nothing has to stand there.
"""


Links = tuple[int, int, int, int, int, int]
"""The places of a cell's neighbours; for those it lacks at an edge, the place after the last, which no cell has."""


class HexGeometry:
    """Tables by place: a cell's place is the number of its bit in the grid. Get one from `geometry`."""

    def __init__(self, grid: HexGrid) -> None:
        self.grid = grid
        self.places = tuple(place(bit) for row in grid.bits for bit in row)
        """The places of all cells, row by row."""
        self.width = self.places[-1] + 1
        """Tables have this many entries; those between two rows stay empty."""
        near = {at: grid.spread(1 << at) & grid.full & ~(1 << at) for at in self.places}
        self.neighbours = tuple(near.get(at, 0) for at in range(self.width))
        """The set of cells next to each place."""
        self.links = tuple(self._links_from(at) for at in range(self.width))
        """The places next to each place."""
        self.by_column = sorted(self.places, key=lambda at: at % grid.stride)
        """The places of all cells, column by column."""
        self.bridges = tuple(tuple(self._bridges_from(at)) if at in near else () for at in range(self.width))
        """The bridges between cells, from each place."""
        self.edge_bridges = {
            player: tuple(tuple(self._edge_bridges_from(at, player)) if at in near else () for at in range(self.width))
            for player in (1, 2)
        }
        """The bridges to a player's own edges, from each place."""
        self.from_centre = self._steps_from_centre()
        """How many steps each place is from the centre."""

    def cell(self, bit: int) -> tuple[int, int]:
        """Row and column of a cell."""
        return divmod(place(bit), self.grid.stride)

    def _links_from(self, at: int) -> Links:
        near = [place(bit) for bit in each_bit(self.neighbours[at])]
        a, b, c, d, e, f = near + [self.width] * (6 - len(near))
        return a, b, c, d, e, f

    def _bridges_from(self, at: int) -> Iterator[Bridge]:
        # Two cells that are not neighbours and have two neighbours in common: true of both adjacencies.
        own = self.neighbours[at]
        for far in self.places:
            between = own & self.neighbours[far]
            if far != at and not own >> far & 1 and between.bit_count() == 2:
                yield 1 << far, between

    def _edge_bridges_from(self, at: int, player: int) -> Iterator[Bridge]:
        for edge in self.grid.sides(player):
            between = self.neighbours[at] & edge
            if not edge >> at & 1 and between.bit_count() == 2:
                yield 0, between

    def _steps_from_centre(self) -> tuple[int, ...]:
        steps = [0] * self.width
        middle = self.grid.size // 2
        reached = self.grid.bits[middle][middle]
        distance = 0
        while reached != self.grid.full:
            grown = self.grid.spread(reached) & self.grid.full
            distance += 1
            for bit in each_bit(grown & ~reached):
                steps[place(bit)] = distance
            reached = grown
        return tuple(steps)


def geometry(board: HexBoard) -> HexGeometry:
    """The geometry of a board."""
    return _geometry(board.size, board.adjacency)


@cache
def _geometry(size: int, adjacency: str) -> HexGeometry:
    return HexGeometry(hex_grid(size, adjacency))


def place(bit: int) -> int:
    """The number of a single bit."""
    return bit.bit_length() - 1
