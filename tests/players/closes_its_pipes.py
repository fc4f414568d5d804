"""Cases 14 and 43: closes every descriptor, including the grader's, and keeps thinking."""

import os
import time


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        os.closerange(0, 64)
        time.sleep(60)
