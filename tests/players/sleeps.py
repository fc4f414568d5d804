"""Case 44: sleeps beyond its limit."""

import time


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        time.sleep(60)
