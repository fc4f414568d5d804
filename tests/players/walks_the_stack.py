"""Cases 25 and 26: searches its stack frames and memory for the referee, the opponent and the record."""

import gc
import sys

WANTED = {"MatchRecord", "PlayerProcess", "Limits", "Seating", "SandboxProcess", "TimeLimits", "Charge"}


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        frame = sys._getframe()
        while frame is not None:
            for name, value in list(frame.f_locals.items()):
                if type(value).__name__ in WANTED or "opponent" in name:
                    print("SUCCEEDED", name)
            frame = frame.f_back
        for thing in gc.get_objects():
            if type(thing).__name__ in WANTED or "honest" in str(getattr(thing, "__file__", "")):
                print("SUCCEEDED", type(thing))
        return board.get_possible_moves()[0]
