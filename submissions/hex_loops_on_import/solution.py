"""A file that is never done with being imported: it ends by `load_error`."""

from player import Player

table = {}
while len(table) < 10:
    table["position"] = 0


class SmartPlayer(Player):
    def play(self, board):
        return board.get_possible_moves()[0]
