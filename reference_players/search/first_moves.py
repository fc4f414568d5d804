"""Sound first moves and first replies for Hex, so that the games of one pairing differ.

All Hex players except `random` use this list; they differ in how they continue.
"""

import random

from grader.games.hex import HexBoard
from reference_players.search.geometry import geometry, place
from reference_players.search.percolation import Noise, Percolation
from reference_players.search.variety import Variety

SOUND = 8
"""The number of sound moves on boards of at least 7×7."""
FILLS = 32_768
"""Number of random fills: enough to distinguish cells whose odds differ by half a percent."""


def first_move(board: HexBoard, player: int, variety: Variety) -> tuple[int, int] | None:
    """The first move or first reply for a seed; None without a seed, and later in the game."""
    if variety.seed is None or board.stones(player) or board.stones(3 - player).bit_count() > 1:
        return None
    sound = sound_moves(board, player)
    return variety.pick(sound) if sound else None


def sound_moves(board: HexBoard, player: int) -> list[tuple[int, int]]:
    """The cells near the centre that most often belong to the winner when the board is filled at random.

    Boards smaller than 7×7 have fewer than `SOUND` (a sixth of the cells), and those smaller than 3×3 have none, because a
    single move decides the game.
    """
    radius = 1 if board.size < 7 else max(2, board.size // 4)
    shape = geometry(board)
    noise = Noise(shape, FILLS, random.Random(board.size))
    odds = Percolation(noise, board.stones(1), board.stones(2)).odds(player)
    near = [bit for bit in odds if shape.from_centre[place(bit)] <= radius]
    best = sorted(near, key=lambda bit: -odds[bit])
    return [shape.cell(bit) for bit in best[: min(SOUND, board.size**2 // 6)]]
