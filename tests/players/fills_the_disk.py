"""Case 40: writes 200 MB into a folder of its own, and removes it again."""

import shutil
import tempfile


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        folder = tempfile.mkdtemp(prefix="grader-attack-")
        try:
            with open(folder + "/big", "wb") as file:
                for _ in range(200):
                    file.write(bytes(1 << 20))
            print("SUCCEEDED")
        finally:
            shutil.rmtree(folder)
