"""Looks for wins with its own flood fill, in which even rows are shifted half a cell to the right."""

from player import Player


def near(row, col):
    aside = 1 if row % 2 == 0 else -1
    return [(row, col - 1), (row, col + 1)] + [(r, c) for r in (row - 1, row + 1) for c in (col, col + aside)]


def connects(stones, size, player):
    def goal(cell):
        return cell[player == 1] == size - 1

    waiting = [cell for cell in stones if cell[player == 1] == 0]
    seen = set(waiting)
    while waiting:
        cell = waiting.pop()
        if goal(cell):
            return True
        fresh = [other for other in near(*cell) if other in stones and other not in seen]
        seen.update(fresh)
        waiting += fresh
    return False


class SmartPlayer(Player):
    def play(self, board):
        moves = board.get_possible_moves()
        for who in (self.player_id, 3 - self.player_id):
            for move in moves:
                if connects(board.player_positions[who] | {move}, board.size, who):
                    return move
        return min(moves, key=lambda move: abs(move[0] - board.size // 2) + abs(move[1] - board.size // 2))
