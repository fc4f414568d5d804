"""Remembers its moves in the class, for all instances together."""

from player import Player


class SmartPlayer(Player):
    played = set()

    def play(self, board):
        move = next(move for move in board.get_possible_moves() if move not in self.played)
        self.played.add(move)
        if len(self.played) > 2 and len(board.get_possible_moves()) > 23:
            raise RuntimeError("so many moves on so empty a board")
        return move
