"""Case 14: writes a reply to every open descriptor."""

import os


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        for descriptor in range(64):
            try:
                os.write(descriptor, b'{"move": [0, 0]}\n')
            except OSError:
                pass
        return board.get_possible_moves()[0]
