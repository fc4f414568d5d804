"""Case 28: replaces the functions for random numbers and time."""

import random
import time

random.random = lambda: 0.0
random.Random.random = lambda self: 0.0
random.seed = lambda *_: None
for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
    setattr(time, name, lambda: 0.0)


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return board.get_possible_moves()[0]
