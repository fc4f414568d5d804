"""Case 35: prints its environment and its arguments."""

import os
import sys


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        print(dict(os.environ), sys.argv, sys.path, os.getcwd())
        return board.get_possible_moves()[0]
