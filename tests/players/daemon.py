"""Case 47: leaves a daemon behind for a minute, by two forks and a new session."""

import os
import time


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(60)
            os._exit(0)
        return board.get_possible_moves()[0]
