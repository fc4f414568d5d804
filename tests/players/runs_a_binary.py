"""Case 58: gets its move from another program."""

import subprocess


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return subprocess.run(["/bin/echo", "0 0"], capture_output=True, check=True).stdout
