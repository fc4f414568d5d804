"""Tables for a Hex board: neighbours, bridges, and distances from the centre, for both adjacencies."""

from collections.abc import Iterator
from functools import cache

from grader.games.hex import HexBoard
from grader.games.hex.grid import HexGrid, each_bit, hex_grid

Bridge = tuple[int, int]
"""The far cell, and the set of the two cells in between. If the opponent takes one of them, the other still connects.

For a bridge to an edge, the far cell is 0, because no stone is needed there.
"""


Links = tuple[int, int, int, int, int, int]
"""The places of a cell's neighbours. Missing ones at an edge are the place after the last, which no cell has."""


class HexGeometry:
    """Tables indexed by place, which is the number of a cell's bit in the grid. Get one from `geometry`."""

    def __init__(self, grid: HexGrid) -> None:
        self.grid = grid
        self.places = tuple(place(bit) for row in grid.bits for bit in row)
        """The places of all cells, row by row."""
        self.width = self.places[-1] + 1
        """The length of the tables; entries between two rows are unused."""
        near = {at: grid.spread(1 << at) & grid.full & ~(1 << at) for at in self.places}
        self.neighbours = tuple(near.get(at, 0) for at in range(self.width))
        """For each place, the set of neighbouring cells."""
        self.links = tuple(self._links_from(at) for at in range(self.width))
        """For each place, the neighbouring places."""
        self.by_column = sorted(self.places, key=lambda at: at % grid.stride)
        """The places of all cells, column by column."""
        self.bridges = tuple(tuple(self._bridges_from(at)) if at in near else () for at in range(self.width))
        """For each place, the bridges to other cells."""
        self.edge_bridges = {
            player: tuple(tuple(self._edge_bridges_from(at, player)) if at in near else () for at in range(self.width))
            for player in (1, 2)
        }
        """For each player and place, the bridges to the player's own edges."""
        self.from_centre = self._steps_from_centre()
        """For each place, the number of steps from the centre."""

    def cell(self, bit: int) -> tuple[int, int]:
        """The row and column of a cell."""
        return divmod(place(bit), self.grid.stride)

    def _links_from(self, at: int) -> Links:
        near = [place(bit) for bit in each_bit(self.neighbours[at])]
        a, b, c, d, e, f = near + [self.width] * (6 - len(near))
        return a, b, c, d, e, f

    def _bridges_from(self, at: int) -> Iterator[Bridge]:
        # Two cells that are not neighbours but have two neighbours in common, with either adjacency.
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
    """The place of a cell: the number of its bit."""
    return bit.bit_length() - 1
