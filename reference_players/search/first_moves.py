"""Sound first moves and first replies for Hex, so that the games of one pairing differ."""

import random

from grader.games.hex import HexBoard
from reference_players.search.geometry import geometry
from reference_players.search.percolation import Percolation
from reference_players.search.variety import Variety

SOUND = 8
FILLS = 8192


def first_move(board: HexBoard, player: int, variety: Variety) -> tuple[int, int] | None:
    """The first move or first reply that a seed means; None without a seed, and after the first."""
    if variety.seed is None or board.stones(player) or board.stones(3 - player).bit_count() > 1:
        return None
    sound = sound_moves(board, player)
    return variety.pick(sound) if sound else None


def sound_moves(board: HexBoard, player: int) -> list[tuple[int, int]]:
    """The cells that most often belong to the winner when the rest of the board is filled at random.

    Fewer on boards below 7×7, and none below 3×3, where a single move decides.
    """
    shape = geometry(board)
    fills = Percolation.of(shape, board.stones(1), board.stones(2), random.Random(board.size), FILLS)
    odds = fills.odds(player)
    best = sorted(odds, key=lambda bit: -odds[bit])
    return [shape.cell(bit) for bit in best[: min(SOUND, board.size**2 // 6)]]
