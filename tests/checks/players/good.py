"""Takes wins, blocks the opponent's, and otherwise plays near the centre."""

from player import Player


class SmartPlayer(Player):
    def play(self, board):
        moves = board.get_possible_moves()
        for who in (self.player_id, 3 - self.player_id):
            for row, col in moves:
                after = board.clone()
                after.place_piece(row, col, who)
                if after.check_connection(who):
                    return row, col
        middle = (board.size - 1) / 2
        return min(moves, key=lambda move: abs(move[0] - middle) + abs(move[1] - middle))
