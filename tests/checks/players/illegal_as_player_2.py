"""Has thought only of being the first: answers the other's stone with the same cell."""

from player import Player


class SmartPlayer(Player):
    def play(self, board):
        if self.player_id == 2:
            return next(iter(board.player_positions[1]))
        return board.get_possible_moves()[0]
