"""Case 37: forks 50 times; the processes stay for a minute."""

import os
import time


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        for _ in range(50):
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
