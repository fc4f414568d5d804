"""Case 2: ends its process in the middle of a move."""

import os


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        os._exit(0)
