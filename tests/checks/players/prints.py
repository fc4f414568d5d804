"""Prints what it does."""

from player import Player


class SmartPlayer(Player):
    def play(self, board):
        print("\x1b[31mthinking", len(board.get_possible_moves()))
        return board.get_possible_moves()[0]
