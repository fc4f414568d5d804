"""Case 10: hangs when it is deleted and when its process ends."""

import atexit
import time

atexit.register(time.sleep, 60)


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return board.get_possible_moves()[0]

    def __del__(self):
        time.sleep(60)
