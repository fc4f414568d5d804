"""Places its move on the board it is given."""

from player import Player


class SmartPlayer(Player):
    def play(self, board):
        row, col = board.get_possible_moves()[0]
        board.place_piece(row, col, self.player_id)
        return row, col
