"""Case 43: opens files until no descriptors are left, at most 5000."""

import os


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        held = []
        try:
            for _ in range(5000):
                held.append(os.open("/dev/null", os.O_RDONLY))
            print("SUCCEEDED")
        except OSError as error:
            print(error)
        return board.get_possible_moves()[0]
