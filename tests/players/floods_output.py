"""Case 42: prints 4 MB with every move, on both streams."""

import os
import sys


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        for _ in range(32):
            os.write(1, b"x" * 65536)
            sys.stderr.write("y" * 65536)
        return board.get_possible_moves()[0]
