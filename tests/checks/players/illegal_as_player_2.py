"""Works only as player 1: as player 2 it plays the cell that its opponent has just taken."""

from player import Player


class SmartPlayer(Player):
    def play(self, board):
        if self.player_id == 2:
            return next(iter(board.player_positions[1]))
        return board.get_possible_moves()[0]
