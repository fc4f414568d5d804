"""Case 59: runs pip on import, with nothing to install."""

import subprocess
import sys

subprocess.run([sys.executable, "-m", "pip", "--version"], check=True)


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return board.get_possible_moves()[0]
