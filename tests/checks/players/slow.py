"""Uses most of its time for every move."""

import time

from player import Player


class SmartPlayer(Player):
    def __init__(self, player_id, time_limit):
        super().__init__(player_id)
        self.seconds = 0.85 * time_limit

    def play(self, board):
        time.sleep(self.seconds)
        return board.get_possible_moves()[0]
