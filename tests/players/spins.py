"""Case 44: thinks beyond its limit."""

import time


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        end = time.time() + 60
        while time.time() < end:
            pass
