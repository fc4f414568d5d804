"""The board that your player receives. It belongs to the course: you do not need to change or submit it.

When your player is graded, it receives a faster board with exactly these members.
"""

MAX_SIZE = 26
ADJACENCIES = ("axial", "even-r")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class HexBoard:
    """An N×N Hex board: 0 is an empty cell, 1 and 2 are stones.

    Player 1 connects left and right (column 0 to column N-1), player 2 top and bottom (row 0 to row N-1).
    """

    def __init__(self, size, adjacency="axial"):
        if isinstance(size, bool) or not hasattr(size, "__index__") or not 1 <= size <= MAX_SIZE:
            raise ValueError(f"the size of a Hex board must be from 1 to {MAX_SIZE}, not {size!r}")
        if adjacency not in ADJACENCIES:
            raise ValueError(f"the adjacency of a Hex board must be 'axial' or 'even-r', not {adjacency!r}")
        self.size = int(size)
        """The number of cells along a side."""
        self.adjacency = adjacency
        """Which cells are neighbours: "axial" or "even-r"."""
        self.board = [[0] * self.size for _ in range(self.size)]
        """The cells: `board.board[row][col]`. You may also write to it."""

    @property
    def player_positions(self):
        """The cells of each player (read-only): `{1: {(row, col), ...}, 2: {(row, col), ...}}`."""
        positions = {1: set(), 2: set()}
        for row in range(self.size):
            for col in range(self.size):
                if self.board[row][col] in (1, 2):
                    positions[self.board[row][col]].add((row, col))
        return positions

    def clone(self):
        """Return an independent copy: changing it does not change this board."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.board = [row[:] for row in self.board]
        return twin

    __copy__ = clone

    def place_piece(self, row, col, player_id):
        """Place a stone on an empty cell. Returns False, and changes nothing, if it is taken or outside the board.

        It does the same if the player is not 1 or 2: a stone cannot be taken back with player 0.
        """
        if player_id != 1 and player_id != 2:
            return False
        if not (0 <= row < self.size and 0 <= col < self.size) or self.board[row][col] != 0:
            return False
        self.board[row][col] = int(player_id)
        return True

    def get_possible_moves(self):
        """Return the empty cells, row by row, as a list of (row, col)."""
        return [(row, col) for row in range(self.size) for col in range(self.size) if self.board[row][col] == 0]

    def check_connection(self, player_id):
        """Return whether that player has connected its two sides."""
        if player_id != 1 and player_id != 2:
            return False
        last = self.size - 1
        first_side = [(at, 0) if player_id == 1 else (0, at) for at in range(self.size)]
        waiting = [(row, col) for row, col in first_side if self.board[row][col] == player_id]
        seen = set(waiting)
        while waiting:
            row, col = waiting.pop()
            if (col if player_id == 1 else row) == last:
                return True
            for near in _neighbours(self, row, col):
                if near not in seen and self.board[near[0]][near[1]] == player_id:
                    seen.add(near)
                    waiting.append(near)
        return False

    def __str__(self):
        width = len(str(self.size))
        shifts = [row if self.adjacency == "axial" else 1 - row % 2 for row in range(self.size)]
        lines = [" " * (shifts[0] + width + 1) + " ".join(LETTERS[: self.size])]
        for row in range(self.size):
            signs = [{0: ".", 1: "1", 2: "2"}.get(cell, "?") for cell in self.board[row]]
            lines.append(" " * shifts[row] + f"{row + 1:>{width}} " + " ".join(signs))
        return "\n".join(lines)

    def __repr__(self):
        return f"<{type(self).__name__} {self.size}×{self.size} {self.adjacency}>\n{self}"


def _neighbours(board, row, col):
    """Return the neighbours of a cell, up to six."""
    steps = [(0, -1), (0, 1), (-1, 0), (1, 0)]
    if board.adjacency == "axial":
        steps += [(-1, 1), (1, -1)]
    elif row % 2 == 0:
        steps += [(-1, 1), (1, 1)]
    else:
        steps += [(-1, -1), (1, -1)]
    near = [(row + down, col + right) for down, right in steps]
    return [(r, c) for r, c in near if 0 <= r < board.size and 0 <= c < board.size]
