"""Case 27: imports a reference player and plays its move."""

import os
import sys

import grader

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(grader.__file__))))
try:
    from reference_players.random import RandomPlayer

    print("SUCCEEDED", RandomPlayer)
except (ImportError, OSError) as error:
    print(error)


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return board.get_possible_moves()[0]
