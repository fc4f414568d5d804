"""Case 11: its import never ends."""

import time

end = time.time() + 60
while time.time() < end:
    pass


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return board.get_possible_moves()[0]
