"""Case 89: cancels its own freezing with SIGCONT from many threads, to think on the opponent's time."""

import os
import signal
import threading
import time

TURN = 0


def resume():
    seen = 0
    while True:
        if TURN != seen:
            seen = TURN
            for _ in range(300):
                try:
                    os.kill(os.getpid(), signal.SIGCONT)
                    signal.pthread_kill(threading.get_ident(), signal.SIGCONT)
                    print("SUCCEEDED", end=" ")
                except OSError:
                    return
        time.sleep(0.0005)


class SmartPlayer:
    def __init__(self, player_id):
        threading.stack_size(65536)
        for _ in range(40):
            threading.Thread(target=resume, daemon=True).start()

    def play(self, board):
        global TURN
        TURN += 1
        return board.get_possible_moves()[0]
