"""A baseline: the board of a typical handout, with a list of lists, two sets, and a breadth-first search."""

from collections import deque

AXIAL = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1))
EVEN_ROW = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, 1))
ODD_ROW = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1))


class PlainBoard:
    """A straightforward implementation with the same members as `HexBoard`."""

    def __init__(self, size: int, adjacency: str = "axial") -> None:
        self.size = size
        self.adjacency = adjacency
        self.board = [[0] * size for _ in range(size)]
        self.player_positions: dict[int, set[tuple[int, int]]] = {1: set(), 2: set()}

    def clone(self) -> "PlainBoard":
        twin = PlainBoard(
            self.size, self.adjacency
        )  # like typical handouts: create an empty board, then replace its cells
        twin.board = [row[:] for row in self.board]
        twin.player_positions = {player: cells.copy() for player, cells in self.player_positions.items()}
        return twin

    def place_piece(self, row: int, col: int, player_id: int) -> bool:
        if self.board[row][col] != 0:
            return False
        self.board[row][col] = player_id
        self.player_positions[player_id].add((row, col))
        return True

    def get_possible_moves(self) -> list[tuple[int, int]]:
        return [(row, col) for row in range(self.size) for col in range(self.size) if self.board[row][col] == 0]

    def neighbours(self, row: int, col: int) -> list[tuple[int, int]]:
        steps = AXIAL if self.adjacency == "axial" else (EVEN_ROW, ODD_ROW)[row % 2]
        near = [(row + down, col + right) for down, right in steps]
        return [(r, c) for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def check_connection(self, player_id: int) -> bool:
        axis = 1 if player_id == 1 else 0
        queue = deque(cell for cell in self.player_positions[player_id] if cell[axis] == 0)
        reached = set(queue)
        while queue:
            cell = queue.popleft()
            if cell[axis] == self.size - 1:
                return True
            for near in self.neighbours(*cell):
                if near not in reached and self.board[near[0]][near[1]] == player_id:
                    reached.add(near)
                    queue.append(near)
        return False
