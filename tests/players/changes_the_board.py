"""Case 30: fills the board it is given with its own stones."""


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        move = board.get_possible_moves()[0]
        for row, col in board.get_possible_moves():
            board.place_piece(row, col, self.player_id)
        board.board = [[self.player_id] * board.size for _ in range(board.size)]
        return move
