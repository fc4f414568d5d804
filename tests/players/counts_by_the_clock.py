"""Searches until 80 % of its time limit by its own clock, and prints how much work it did, as clock-budgeted players do."""

import time

from player import Player


class SmartPlayer(Player):
    def __init__(self, player_id, time_limit=9.0):
        super().__init__(player_id)
        self.time_limit = time_limit

    def play(self, board):
        end, nodes = time.monotonic() + 0.8 * self.time_limit, 0
        while time.monotonic() < end:
            nodes += len([cell for cell in range(200) if cell % 3])
        print("nodes", nodes)
        return board.get_possible_moves()[0]
