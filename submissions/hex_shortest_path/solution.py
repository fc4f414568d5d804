"""A player that looks one move ahead at how many stones each side still needs to connect."""

from heapq import heappop, heappush

from board import HexBoard
from player import Player

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1))


def stones_needed(board: HexBoard, player_id: int) -> int:
    """The fewest empty cells that a player must fill to connect its sides."""
    size, cells = board.size, board.board
    start = [(row, 0) for row in range(size)] if player_id == 1 else [(0, col) for col in range(size)]
    best: dict[tuple[int, int], int] = {}
    queue: list[tuple[int, int, int]] = []
    for row, col in start:
        if cells[row][col] != 3 - player_id:
            heappush(queue, (0 if cells[row][col] else 1, row, col))
    while queue:
        cost, row, col = heappop(queue)
        if (row, col) in best:
            continue
        best[row, col] = cost
        if (col if player_id == 1 else row) == size - 1:
            return cost
        for down, right in STEPS:
            r, c = row + down, col + right
            if 0 <= r < size and 0 <= c < size and cells[r][c] != 3 - player_id and (r, c) not in best:
                heappush(queue, (cost + (0 if cells[r][c] else 1), r, c))
    return size * size


class SmartPlayer(Player):
    def play(self, board: HexBoard) -> tuple[int, int]:
        middle = board.size // 2

        def value(move: tuple[int, int]) -> tuple[int, int]:
            after = board.clone()
            after.place_piece(move[0], move[1], self.player_id)
            lead = stones_needed(after, 3 - self.player_id) - stones_needed(after, self.player_id)
            return lead, -abs(move[0] - middle) - abs(move[1] - middle)

        return max(board.get_possible_moves(), key=value)
