"""A player that never looks at the time: it ends by `timeout`."""

from board import HexBoard
from player import Player


class SmartPlayer(Player):
    def play(self, board: HexBoard) -> tuple[int, int]:
        moves = board.get_possible_moves()
        if len(moves) < board.size**2 - 3:
            while True:  # a search without an end
                moves.reverse()
        return moves[0]
