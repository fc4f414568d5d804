"""Sound first moves and first replies for Hex, so that the games of one pairing differ.

All Hex players but `random` take theirs from this one list: what differs between them is how they play on.
"""

import random

from grader.games.hex import HexBoard
from reference_players.search.geometry import geometry, place
from reference_players.search.percolation import Noise, Percolation
from reference_players.search.variety import Variety

SOUND = 8
"""How many there are on boards of at least 7×7."""
FILLS = 32_768
"""Enough to tell apart cells whose odds differ by half a percent."""


def first_move(board: HexBoard, player: int, variety: Variety) -> tuple[int, int] | None:
    """The first move or first reply that a seed means; None without a seed, and after the first."""
    if variety.seed is None or board.stones(player) or board.stones(3 - player).bit_count() > 1:
        return None
    sound = sound_moves(board, player)
    return variety.pick(sound) if sound else None


def sound_moves(board: HexBoard, player: int) -> list[tuple[int, int]]:
    """Of the cells near the centre, those that most often go with a win when the board is filled at random.

    Fewer than `SOUND` on boards below 7×7, a sixth of the cells, and none below 3×3, where a single move decides.
    """
    radius = 1 if board.size < 7 else max(2, board.size // 4)
    shape = geometry(board)
    noise = Noise(shape, FILLS, random.Random(board.size))
    odds = Percolation(noise, board.stones(1), board.stones(2)).odds(player)
    near = [bit for bit in odds if shape.from_centre[place(bit)] <= radius]
    best = sorted(near, key=lambda bit: -odds[bit])
    return [shape.cell(bit) for bit in best[: min(SOUND, board.size**2 // 6)]]
