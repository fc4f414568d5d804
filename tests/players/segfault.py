"""Case 7: reads from an invalid address through ctypes."""

import ctypes


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return ctypes.string_at(0)
