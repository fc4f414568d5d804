"""Case 36: plays differently when it detects that it is being graded."""

import sys

GRADED = any(name.startswith("grader") for name in sys.modules)


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return board.get_possible_moves()[-1 if GRADED else 0]
