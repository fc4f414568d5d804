"""The board that a Hex player is handed: `HexBoard`.

Students were given a plain class with a list of lists. This one keeps each player's stones as the bits of an integer,
which makes the searches that students write several times faster, and still behaves like that plain class: `board` and
`player_positions` are real lists and sets, made when first read, and what a student writes into `board.board` is
noticed before the next question is answered.
"""

from grader.games.hex_grid import ADJACENCIES, MAX_SIZE, HexGrid, hex_grid

_new = object.__new__


class HexBoard:
    """An N×N Hex board: 0 is an empty cell, 1 and 2 are stones.

    Player 1 connects left and right (column 0 to column N−1), player 2 top and bottom (row 0 to row N−1).
    """

    size: int
    _grid: HexGrid
    _one: int
    _two: int
    _taken: int
    """Cells that hold anything but 0: more than both players' stones if a student wrote something else."""
    _rows: "list[list[int]] | None" = None
    """The lists behind `board`, once somebody has asked for them."""
    _seen: "list[list[int]] | None" = None
    """What the lists held when the integers were last right. Shared between clones, so never changed in place."""
    _positions: "dict[int, set[tuple[int, int]]] | None" = None

    def __init__(self, size: int, adjacency: str = "axial") -> None:
        if isinstance(size, bool) or not hasattr(size, "__index__") or not 1 <= size <= MAX_SIZE:
            raise ValueError(f"a Hex board has a size from 1 to {MAX_SIZE}, not {size!r}")
        if adjacency not in ADJACENCIES:
            raise ValueError(
                f"the adjacency of a Hex board is {' or '.join(map(repr, ADJACENCIES))}, not {adjacency!r}"
            )
        self._grid = hex_grid(size.__index__(), adjacency)
        self.size = self._grid.size
        self._one = self._two = self._taken = 0

    @classmethod
    def from_stones(cls, grid: HexGrid, one: int, two: int) -> "HexBoard":
        """The board on which the players have these sets of stones."""
        board = cls(grid.size, grid.adjacency)
        board._one, board._two, board._taken = one, two, one | two
        return board

    @property
    def adjacency(self) -> str:
        """Which cells are neighbours: `axial` or `even-r`."""
        return self._grid.adjacency

    @property
    def board(self) -> list[list[int]]:
        """The cells, `board[row][col]`. Writing into it places (1, 2) or removes (0) a stone."""
        if self._rows is None:
            if self._seen is None:
                self._seen = self._grid.rows(self._one, self._two)
            self._rows = [row[:] for row in self._seen]
        return self._rows

    @board.setter
    def board(self, rows: list[list[int]]) -> None:
        # A list of lists stays the caller's own, so that what is written into it later is noticed too.
        lists = isinstance(rows, list) and all(isinstance(row, list) for row in rows)
        self._rows = rows if lists else [list(row) for row in rows]
        self._seen = None

    @property
    def player_positions(self) -> dict[int, set[tuple[int, int]]]:
        """The cells of each player: `{1: {(row, col), …}, 2: {…}}`."""
        self._notice_writes()
        if self._positions is None:
            listed = self._grid.listed
            self._positions = {1: _Cells(listed(self._one)), 2: _Cells(listed(self._two))}
        return self._positions

    def clone(self) -> "HexBoard":
        """An independent copy."""
        if self._rows is not None:
            self._notice_writes()
        twin = _new(type(self))
        if type(self) is not HexBoard:
            twin.__dict__.update(self.__dict__)  # what a student's own kind of board has beside ours
            twin._rows = twin._positions = None
        twin.size = self.size
        twin._grid = self._grid
        twin._one = self._one
        twin._two = self._two
        twin._taken = self._taken
        if self._seen is not None:
            twin._seen = self._seen
        return twin

    def place_piece(self, row: int, col: int, player_id: int) -> bool:
        """Put a stone on an empty cell. False, and nothing changes, if it is taken or outside the board."""
        if self._rows is not None:
            self._notice_writes()
        if player_id != 1 and player_id != 2:
            raise ValueError(f"place_piece: the player is 1 or 2, not {player_id!r}")
        size = self.size
        if not (0 <= row < size and 0 <= col < size):
            return False
        bit = self._grid.bits[row][col]
        if self._taken & bit:
            return False
        self._taken |= bit
        if player_id == 1:
            self._one |= bit
        else:
            self._two |= bit
        if self._seen is not None:
            self._write(row, col, int(player_id))
        if self._positions is not None:
            self._positions[player_id].add((int(row), int(col)))
        return True

    def get_possible_moves(self) -> list[tuple[int, int]]:
        """The empty cells, row by row."""
        if self._rows is not None:
            self._notice_writes()
        return self._grid.listed(self._grid.full & ~self._taken)

    def check_connection(self, player_id: int) -> bool:
        """Whether that player has connected its two sides."""
        if self._rows is not None:
            self._notice_writes()
        # Most boards of a search have nothing on one side yet: that is seen before the grid is asked.
        grid = self._grid
        if player_id == 1:
            return self._one & grid.left > 0 and grid.connects(self._one, 1)
        if player_id == 2:
            return self._two & grid.top > 0 and grid.connects(self._two, 2)
        raise ValueError(f"check_connection: the player is 1 or 2, not {player_id!r}")

    def stones(self, player_id: int) -> int:
        """That player's stones as the bits of the board's grid."""
        self._notice_writes()
        return self._one if player_id == 1 else self._two

    def __str__(self) -> str:
        self._notice_writes()
        return draw(self._grid, self._one, self._two)

    def __repr__(self) -> str:
        return f"<HexBoard {self.size}×{self.size} {self.adjacency}>\n{self}"

    def _write(self, row: int, col: int, value: int) -> None:
        assert self._seen is not None
        self._seen = self._seen[:]
        self._seen[row] = self._seen[row][:]
        self._seen[row][col] = value
        if self._rows is not None:
            self._rows[row][col] = value

    def _notice_writes(self) -> None:
        """Bring the integers up to date with what was written into the lists."""
        if self._rows is None or self._rows == self._seen:
            return
        self._seen = [list(row) for row in self._rows]
        self._one = self._two = self._taken = 0
        for bits, row in zip(self._grid.bits, self._seen, strict=False):
            for bit, value in zip(bits, row, strict=False):
                if value == 1:
                    self._one |= bit
                elif value == 2:
                    self._two |= bit
                if value != 0:
                    self._taken |= bit
        if self._positions is not None:
            for player, stones in ((1, self._one), (2, self._two)):
                self._positions[player].clear()
                self._positions[player].update(self._grid.listed(stones))


class _Cells(set[tuple[int, int]]):
    """A player's cells, kept true to the board.

    Students who take a stone back by hand write 0 into `board` and then remove the cell here; by then it is gone.
    """

    def remove(self, cell: tuple[int, int]) -> None:
        self.discard(cell)


def draw(grid: HexGrid, one: int, two: int) -> str:
    """The board as text: columns as letters, rows as numbers from 1, rows shifted the way their neighbours lie."""
    width = len(str(grid.size))
    shifts = range(grid.size) if grid.adjacency == "axial" else [1 - row % 2 for row in range(grid.size)]
    lines = [" " * (shifts[0] + width + 1) + " ".join("abcdefghijklmnopqrstuvwxyz"[: grid.size])]
    for row, values in enumerate(grid.rows(one, two)):
        lines.append(" " * shifts[row] + f"{row + 1:>{width}} " + " ".join(".12"[value] for value in values))
    return "\n".join(lines)
