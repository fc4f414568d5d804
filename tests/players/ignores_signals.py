"""Case 6: ignores the signals that would end it, and keeps thinking."""

import signal
import time


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        for number in (signal.SIGTERM, signal.SIGALRM, signal.SIGINT, signal.SIGHUP, signal.SIGCONT):
            signal.signal(number, signal.SIG_IGN)
        end = time.time() + 60
        while time.time() < end:
            pass
