"""Case 38: 3000 threads with small stacks."""

import threading
import time


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        threading.stack_size(32768)
        for _ in range(3000):
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        time.sleep(60)
