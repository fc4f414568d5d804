"""`HexBoard`: the board that a Hex player is given.

The class in the handout stores the cells in a list of lists. This one stores each player's stones as the bits of an
integer, which makes students' searches several times faster, but behaves the same: `board` and `player_positions` are
real lists and sets, created when first read, and changes that a student makes to `board.board` are detected before the
next method returns.
"""

from operator import attrgetter, itemgetter
from typing import Any

from grader.games.base import quote, whole_number
from grader.games.hex.drawing import draw
from grader.games.hex.grid import ADJACENCIES, MAX_SIZE, HexGrid, hex_grid

Rows = list[list[int]]

_new = object.__new__


class _FirstRead:
    """Creates the lists of a board when they are first read. They then hide it, because they are the board's own."""

    def __get__(self, board: "HexBoard", _: object = None) -> Rows:
        board._rows = board._lists = rows = [row.copy() for row in board._apply_placed()]
        return rows


class HexBoard:
    """An N×N Hex board: 0 is an empty cell, 1 and 2 are stones.

    Player 1 connects left and right (column 0 to column N−1), player 2 top and bottom (row 0 to row N−1).
    """

    size: int
    _grid: HexGrid
    _one: int
    _two: int
    _taken: int
    """Cells with any value but 0: more than both players' stones if a student wrote another value."""
    _known: Rows
    """The cells as of the last time the integers were updated. Shared between clones, so never modified in place."""
    _lists = _FirstRead()
    """The lists that `board` returns."""
    _rows: "Rows | None"
    """The same lists, or None until they are first needed. They determine where the stones are, not the integers."""
    _placed: "tuple[int, int, int, Any] | None"
    """Linked list of stones not yet in `_known`: row, column, player, previous stone.

    If there are lists, only the stone placed last: row, column, player, and the cell as a pair. The integers have it only
    once they need it: players that write to the lists usually take such a stone back before.
    """
    _positions: "dict[int, set[tuple[int, int]]] | None"

    def __init__(self, size: int, adjacency: str = "axial") -> None:
        number = whole_number(size)
        if number is None or not 1 <= number <= MAX_SIZE:
            raise ValueError(f"the size of a Hex board must be from 1 to {MAX_SIZE}, not {quote(size)}")
        if adjacency not in ADJACENCIES:
            known = " or ".join(map(repr, ADJACENCIES))
            raise ValueError(f"the adjacency of a Hex board must be {known}, not {quote(adjacency)}")
        self._grid = hex_grid(number, adjacency)
        self.size = number
        self._one = self._two = self._taken = 0
        self._known = self._grid.empty_rows
        self._rows = self._placed = self._positions = None

    @classmethod
    def from_stones(cls, grid: HexGrid, one: int, two: int) -> "HexBoard":
        """The board with these sets of stones of player 1 and player 2."""
        board = cls(grid.size, grid.adjacency)
        board._one, board._two, board._taken = one, two, one | two
        board._known = grid.rows(one, two)
        return board

    @property
    def adjacency(self) -> str:
        """Which cells are neighbours: `axial` or `even-r`."""
        return self._grid.adjacency

    def _assign_board(self, rows: Rows) -> None:
        if "_grid" not in self.__dict__:  # a student's subclass that does not call our constructor
            HexBoard.__init__(self, len(rows))
        if self._rows is None:
            self._apply_placed()
        self._rows = self._lists = rows if isinstance(rows, list) else list(rows)

    board: Rows = property(  # type: ignore[assignment]  # attrgetter, because students read it for each cell
        attrgetter("_lists"),
        _assign_board,
        doc="The cells, `board[row][col]`. Writing into it places (1, 2) or removes (0) a stone.",
    )

    @property
    def player_positions(self) -> dict[int, set[tuple[int, int]]]:
        """The cells of each player: `{1: {(row, col), …}, 2: {(row, col), …}}`."""
        rows = self._rows
        if rows is not None:
            try:
                unchanged = rows == self._known
            except ValueError:
                unchanged = False
            if not unchanged:
                self._notice_writes()
            elif self._placed is not None:
                row, col, player, cell = self._placed
                if rows[row][col] == 0:  # taken back by hand before the integers had it
                    self._placed = None
                    if self._positions is not None:
                        self._positions[player].discard(cell)
        if self._positions is None:
            listed = self._grid.list_cells
            self._positions = {1: _Cells(listed(self._one)), 2: _Cells(listed(self._two))}
        return self._positions

    @player_positions.setter
    def player_positions(self, _: object) -> None:
        self._positions = (
            None  # ignored: `board` determines where the stones are, but code that copies a board sets both
        )

    def clone(self) -> "HexBoard":
        """An independent copy."""
        if self._rows is not None:
            self._notice_writes()
        elif self._placed is not None:
            self._apply_placed()
        twin = _new(type(self))
        if type(self) is not HexBoard:
            twin.__dict__.update(self.__dict__)  # additional attributes of a student's subclass
            twin.__dict__.pop("_lists", None)
        twin.size = self.size
        twin._grid = self._grid
        twin._one = self._one
        twin._two = self._two
        twin._taken = self._taken
        twin._known = self._known
        twin._rows = twin._placed = twin._positions = None
        return twin

    __copy__ = clone

    def __getstate__(self) -> dict[str, Any]:
        if self._rows is None:
            self._apply_placed()  # a long linked list cannot be copied recursively
        return self.__dict__

    def place_piece(self, row: int, col: int, player_id: int) -> bool:
        """Place a stone on an empty cell.

        Returns False, and changes nothing, if the cell is taken or outside the board, or the player is not 1 or 2.
        """
        if player_id == 1:
            player = 1
        elif player_id == 2:
            player = 2
        else:
            return False  # as on a course's plain board, where some players try to take a stone back with player 0
        size = self.size
        if row < 0 or col < 0 or row >= size or col >= size:
            return False
        rows = self._rows
        if rows is None:
            bit = self._grid.bits[row][col]
            if self._taken & bit:
                return False
            self._taken |= bit
            if player == 1:
                self._one |= bit
            else:
                self._two |= bit
            self._placed = (row, col, player, self._placed)
            if self._positions is not None:
                self._positions[player].add(self._grid.places[row][col])
            return True
        if self._placed is not None:
            self._notice_writes()
        try:
            line = rows[row]
            if line[col] != 0:
                return False
            line[col] = player
        except (LookupError, TypeError):  # a short row or one that is not a list
            self._notice_writes()
            if rows[row][col] != 0:
                return False
            rows[row][col] = player
        cell = self._grid.places[row][col]
        self._placed = (row, col, player, cell)
        if self._positions is not None:
            self._positions[player].add(cell)
        return True

    def get_possible_moves(self) -> list[tuple[int, int]]:
        """The empty cells, row by row."""
        if self._rows is not None:
            self._notice_writes()
        return self._grid.list_cells(self._grid.full & ~self._taken)

    def check_connection(self, player_id: int) -> bool:
        """Whether that player has connected its two sides; False for a player that is not 1 or 2."""
        # Most boards in a search have no stone on one of the sides yet: check that first, because it is fast.
        grid = self._grid
        rows = self._rows
        if rows is not None:
            try:
                if player_id == 2:
                    if rows[0] == self._known[0] and not self._two & grid.top:
                        return False
                    end = self.size - 1
                    if rows[end] == self._known[end] and not self._two & grid.bottom:
                        return False
                elif player_id == 1:
                    if not self._one & grid.left and 1 not in map(itemgetter(0), rows):
                        return False
                    if not self._one & grid.right and 1 not in map(itemgetter(self.size - 1), rows):
                        return False
            except (LookupError, TypeError, ValueError):
                pass  # rows that are short or no lists: the next line completes them
            self._notice_writes()
        if player_id == 1:
            return self._one & grid.left > 0 and grid.connects(self._one, 1)
        if player_id == 2:
            return self._two & grid.top > 0 and grid.connects(self._two, 2)
        return False

    def stones(self, player_id: int) -> int:
        """That player's stones as bits of the board's grid."""
        self._notice_writes()
        return self._one if player_id == 1 else self._two

    def __str__(self) -> str:
        if self._rows is not None:
            self._notice_writes()
        return draw(self._grid, self._one, self._two, self._taken)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.size}×{self.size} {self.adjacency}>\n{self}"

    def _apply_placed(self) -> Rows:
        """Add the placed stones to `_known`, and return it. Only if there are no lists."""
        placed = self._placed
        if placed is not None:
            known = self._known[:]
            while placed is not None:
                row, col, player, placed = placed
                known[row] = line = known[row].copy()
                line[col] = player
            self._known = known
            self._placed = None
        return self._known

    def _toggle(self, row: int, col: int, player: int, value: int) -> None:
        """Add a player's stone to the integers, or remove it; `value` is the cell as it is now."""
        bit = self._grid.bits[row][col]
        self._taken ^= bit
        if player == 1:
            self._one ^= bit
        else:
            self._two ^= bit
        known = self._known = self._known[:]
        known[row] = line = known[row].copy()
        line[col] = value

    def _notice_last(self, rows: Rows) -> None:
        """Update the integers with the stone placed last: usually, only this cell has changed."""
        assert self._placed is not None
        row, col, player, cell = self._placed
        before = self._known[row][col]
        try:
            value = rows[row][col]
        except (LookupError, TypeError):
            value = -1
        if value == player:
            if before == 0:
                self._toggle(row, col, player, player)
            return
        self._placed = None
        if before == player and value == 0:
            self._toggle(row, col, player, 0)
        if self._positions is not None:
            if before == player:  # a new set, so that a loop over the old one can continue
                self._positions[player] = _Cells(self._positions[player])
            self._positions[player].discard(cell)

    def _notice_writes(self) -> None:
        """Update the integers with what a student has written into the lists."""
        rows = self._rows
        if rows is None:
            return
        if self._placed is not None:
            self._notice_last(rows)
        try:
            if rows == self._known:
                return
        except ValueError:  # comparing a row that is a numpy array does not give a bool
            pass
        self._placed = None
        one, two = self._one, self._two
        known = self._known = self._known[:]
        for at in range(self.size):
            if at >= len(rows):
                rows.append([-1] * self.size)  # the board is too short: missing cells cannot be played
            row = rows[at]
            if type(row) is not list:
                row = rows[at] = list(row)
            if row != known[at]:
                row += [-1] * (self.size - len(row))
                self._read_row(self._grid.bits[at], row, known[at])
                known[at] = row.copy()
        if self._positions is not None:
            for player, then, now in ((1, one, self._one), (2, two, self._two)):
                if now != then:  # a new set, so that a loop over the old one can continue
                    cells = self._positions[player] = _Cells(self._positions[player])
                    cells.difference_update(self._grid.list_few_cells(then & ~now))
                    cells.update(self._grid.list_few_cells(now & ~then))

    def _read_row(self, bits: tuple[int, ...], row: list[int], before: list[int]) -> None:
        """Update the integers with the cells of a row that have changed."""
        for bit, value, old in zip(bits, row, before, strict=False):
            if value != old:
                self._one &= ~bit
                self._two &= ~bit
                self._taken |= bit
                if value == 0:
                    self._taken ^= bit
                elif value == 1:
                    self._one |= bit
                elif value == 2:
                    self._two |= bit


class _Cells(set[tuple[int, int]]):
    """A player's cells, kept in sync with the board.

    Students who undo a move by hand write 0 into `board` and then remove the cell from this set, where it no longer is.
    """

    __slots__ = ()

    def remove(self, cell: tuple[int, int]) -> None:
        self.discard(cell)

    def __repr__(self) -> str:
        return repr(set(self))
