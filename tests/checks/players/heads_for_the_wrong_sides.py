"""It takes a win that the board confirms, but otherwise builds towards the other player's sides."""


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        moves = board.get_possible_moves()
        for row, column in moves:
            after = board.clone()
            after.place_piece(row, column, self.player_id)
            if after.check_connection(self.player_id):
                return row, column
        middle = board.size // 2
        if self.player_id == 1:  # should go from left to right, and goes from top to bottom
            return min(moves, key=lambda cell: (abs(cell[1] - middle), cell[0]))
        return min(moves, key=lambda cell: (abs(cell[0] - middle), cell[1]))
