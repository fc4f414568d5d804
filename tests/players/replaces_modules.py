"""Case 31: replaces imported modules."""

import sys

for name in list(sys.modules):
    if name.startswith("grader") or name in ("json", "random", "secrets", "select"):
        sys.modules[name] = sys


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return board.get_possible_moves()[0]
