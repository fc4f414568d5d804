"""Case 5: stops its own process."""

import os
import signal


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        os.kill(os.getpid(), signal.SIGSTOP)
        return board.get_possible_moves()[0]
