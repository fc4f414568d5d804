"""Case 34: traces every line and call of its process."""

import sys
import threading

SEEN = []


def trace(frame, event, argument):
    SEEN.append(event)
    return trace


sys.settrace(trace)
sys.setprofile(trace)
threading.settrace(trace)
threading.setprofile(trace)
sys.addaudithook(lambda event, arguments: None)


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return board.get_possible_moves()[0]
