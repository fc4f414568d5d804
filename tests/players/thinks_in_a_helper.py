"""Case 84: a process of its own that thinks while the other side is to move, for at most ten seconds."""

import os
import time


class SmartPlayer:
    def __init__(self, player_id):
        self.thoughts, writing = os.pipe()
        if os.fork() == 0:
            end = time.monotonic() + 10
            while time.monotonic() < end:
                os.write(writing, b".")
                time.sleep(0.01)
            os._exit(0)

    def play(self, board):
        print(f"SUCCEEDED: {len(os.read(self.thoughts, 10_000))} thoughts")
        return board.get_possible_moves()[0]
