"""A player that places its stones anywhere."""

import random

from board import HexBoard
from player import Player


class SmartPlayer(Player):
    def play(self, board: HexBoard) -> tuple[int, int]:
        return random.choice(board.get_possible_moves())
