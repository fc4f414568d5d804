"""A player that takes the free cell nearest to the centre, and wins or blocks in one move where it can."""

from board import HexBoard
from player import Player


class SmartPlayer(Player):
    def play(self, board: HexBoard) -> tuple[int, int]:
        moves = board.get_possible_moves()
        for player_id in (self.player_id, 3 - self.player_id):
            for row, col in moves:
                after = board.clone()
                after.place_piece(row, col, player_id)
                if after.check_connection(player_id):
                    return row, col
        middle = board.size // 2
        return min(moves, key=lambda move: abs(move[0] - middle) + abs(move[1] - middle))
