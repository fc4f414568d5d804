"""Case 81: fills its scratch folder with up to 30 000 empty files, links and folders, which take memory of the kernel."""

import os
import tempfile


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        folder = tempfile.gettempdir()
        for number in range(10_000):
            open(f"{folder}/file{number}", "w").close()
            os.symlink("x" * 100, f"{folder}/link{number}")
            os.link(f"{folder}/file{number}", f"{folder}/same{number}")
        print("SUCCEEDED")
