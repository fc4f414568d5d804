"""Case 50: reads the reference players, the rest of the grader and another player's file."""

import glob
import os

import grader

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(grader.__file__)))
WANTED = ["reference_players/random.py", "grader/referee.py", "grader/sandbox/process.py", "pyproject.toml"]
OTHERS = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "honest.py"), "/etc/passwd", "/proc/self/maps"]


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        for path in [*(os.path.join(ROOT, name) for name in WANTED), *OTHERS, *glob.glob("/proc/*/cmdline")]:
            try:
                with open(path) as file:
                    print("SUCCEEDED", path, file.read(10))
            except OSError:
                pass
        return board.get_possible_moves()[0]
