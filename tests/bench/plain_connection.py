"""A baseline: the shortest connection by Dijkstra's algorithm with a heap on a plain board."""

import heapq

from tests.bench.plain_board import PlainBoard


def plain_connection(board: PlainBoard, player: int) -> int | None:
    """The smallest number of empty cells a player must fill to connect its sides, or None if it cannot."""
    axis = 1 if player == 1 else 0
    edge = [(row, col) for row in range(board.size) for col in range(board.size) if (row, col)[axis] == 0]
    costs: dict[tuple[int, int], int] = {}
    heap = [(_cost(board, cell, player), cell) for cell in edge if board.board[cell[0]][cell[1]] != 3 - player]
    heapq.heapify(heap)
    while heap:
        cost, cell = heapq.heappop(heap)
        if cell in costs:
            continue
        if cell[axis] == board.size - 1:
            return cost
        costs[cell] = cost
        for near in board.neighbours(*cell):
            if near not in costs and board.board[near[0]][near[1]] != 3 - player:
                heapq.heappush(heap, (cost + _cost(board, near, player), near))
    return None


def _cost(board: PlainBoard, cell: tuple[int, int], player: int) -> int:
    return 0 if board.board[cell[0]][cell[1]] == player else 1
