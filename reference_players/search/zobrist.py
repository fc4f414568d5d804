"""Zobrist keys of Hex positions: one random number per cell and player, combined by exclusive or."""

import random
from functools import cache
from typing import NamedTuple

from grader.games.hex.grid import each_bit
from reference_players.search.geometry import HexGeometry, place

BITS = 64


class CanonicalKey(NamedTuple):
    """The key of a position that is the same for its symmetric image."""

    key: int
    turned: bool
    """Whether it is the key of the image."""


class Zobrist:
    """The keys for boards of one size and adjacency. Get it from `zobrist`."""

    def __init__(self, geometry: HexGeometry) -> None:
        grid = geometry.grid
        rng = random.Random(f"zobrist {grid.size} {grid.adjacency}")
        self._numbers = {player: [rng.getrandbits(BITS) for _ in range(geometry.width)] for player in (1, 2)}
        self._image = {at: _image(geometry, at) for at in geometry.places}

    def key(self, one: int, two: int) -> int:
        """The key of a position. It does not include the player to move, which follows from the number of stones."""
        key = 0
        for player, stones in ((1, one), (2, two)):
            for bit in each_bit(stones):
                key ^= self._numbers[player][place(bit)]
        return key

    def key_after(self, key: int, bit: int, player: int) -> int:
        """The key after a player places a stone."""
        return key ^ self._numbers[player][place(bit)]

    def canonical_key(self, one: int, two: int) -> CanonicalKey:
        """The smaller of the keys of a position and its image, which have the same value."""
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
    """The shared set of keys for a geometry."""
    return Zobrist(geometry)


def _image(geometry: HexGeometry, at: int) -> int:
    """The image of a cell under the only symmetry that preserves neighbours and each player's sides.

    With axial adjacency, that is a half-turn. With `even-r`, it is a half-turn if the number of rows is even (even rows
    then become odd ones), and otherwise a reflection of the rows.
    """
    grid = geometry.grid
    row, col = divmod(at, grid.stride)
    last = grid.size - 1
    mirrored = grid.adjacency == "even-r" and grid.size % 2 == 1
    return (last - row) * grid.stride + (col if mirrored else last - col)
