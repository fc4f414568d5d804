"""Case 41: creates 2000 empty files, and removes them again."""

import shutil
import tempfile


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        folder = tempfile.mkdtemp(prefix="grader-attack-")
        try:
            for number in range(2000):
                open(f"{folder}/{number}", "w").close()
            print("SUCCEEDED")
        finally:
            shutil.rmtree(folder)
