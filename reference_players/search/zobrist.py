"""Zobrist keys of Hex positions: one random number per cell and player, combined by exclusive or."""

import random
from functools import cache
from typing import NamedTuple

from grader.games.hex.grid import each_bit
from reference_players.search.geometry import HexGeometry, place

BITS = 64


class CanonicalKey(NamedTuple):
    """A position as one of two that are each other's image."""

    key: int
    turned: bool
    """Whether the key is that of the image."""


class Zobrist:
    """The keys of one kind of board. Get it from `zobrist`."""

    def __init__(self, geometry: HexGeometry) -> None:
        grid = geometry.grid
        rng = random.Random(f"zobrist {grid.size} {grid.adjacency}")
        self._numbers = {player: [rng.getrandbits(BITS) for _ in range(geometry.width)] for player in (1, 2)}
        self._image = {at: _image(geometry, at) for at in geometry.places}

    def key(self, one: int, two: int) -> int:
        """The key of a position. Whose turn it is can be told from the number of stones."""
        key = 0
        for player, stones in ((1, one), (2, two)):
            for bit in each_bit(stones):
                key ^= self._numbers[player][place(bit)]
        return key

    def key_after(self, key: int, bit: int, player: int) -> int:
        """The key after a stone."""
        return key ^ self._numbers[player][place(bit)]

    def canonical_key(self, one: int, two: int) -> CanonicalKey:
        """The lesser of the keys of a position and its image, which are worth the same to both players."""
        plain = self.key(one, two)
        turned = self.key(self._image_stones(one), self._image_stones(two))
        return CanonicalKey(plain, turned=False) if plain <= turned else CanonicalKey(turned, turned=True)

    def image(self, bit: int) -> int:
        """The image of a cell."""
        return 1 << self._image[place(bit)]

    def _image_stones(self, stones: int) -> int:
        return sum(self.image(bit) for bit in each_bit(stones))


@cache
def zobrist(geometry: HexGeometry) -> Zobrist:
    """The one set of keys for a geometry."""
    return Zobrist(geometry)


def _image(geometry: HexGeometry, at: int) -> int:
    """Where a cell goes under the one symmetry that keeps neighbours and each player's sides.

    On the rhombus that is the half-turn. With even rows to the right it is the half-turn too where the number of rows
    is even, because even rows then become odd ones; else it is the mirror image of the rows.
    """
    grid = geometry.grid
    row, col = divmod(at, grid.stride)
    last = grid.size - 1
    mirrored = grid.adjacency == "even-r" and grid.size % 2 == 1
    return (last - row) * grid.stride + (col if mirrored else last - col)
