"""Case 46: a thread that thinks while the other side is to move."""

import threading
import time


class SmartPlayer:
    def __init__(self, player_id):
        self.thoughts = self.before = 0
        threading.Thread(target=self.think, daemon=True).start()

    def play(self, board):
        print(self.thoughts - self.before)
        self.before = self.thoughts
        return board.get_possible_moves()[0]

    def think(self):
        while True:
            self.thoughts += 1
            time.sleep(0.001)
