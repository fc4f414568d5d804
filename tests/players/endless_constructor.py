"""Case 12: its constructor never ends."""

import time


class SmartPlayer:
    def __init__(self, player_id):
        time.sleep(60)

    def play(self, board):
        return board.get_possible_moves()[0]
