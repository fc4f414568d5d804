"""Case 29: changes the board's class so that it has always won."""

from board import HexBoard

HexBoard.check_connection = lambda self, player_id: player_id == 1
HexBoard.place_piece = lambda self, row, col, player_id: True
HexBoard.size = 1


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return board.get_possible_moves()[0]
