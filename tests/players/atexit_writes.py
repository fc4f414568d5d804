"""Case 9: writes a result when its process ends."""

import atexit
import os
import tempfile


def write_result():
    with open(os.path.join(tempfile.gettempdir(), "grader-attack-atexit"), "w") as file:
        file.write('{"winner": 1}')


atexit.register(write_result)


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return board.get_possible_moves()[0]
