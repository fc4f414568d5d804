"""The environment that your player receives. It belongs to the course: you do not need to change or submit it.

When your player is graded, it receives a faster environment with exactly these members.
"""

SIZE = 7
BOOM = 7
"""The action that sets off the player's own bomb; the actions 0 to 6 drop a piece into that column."""
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, 1))
"""The steps (rows up, columns right) from one cell of a line to the next."""


class Environment:
    """A position of Desconecta-4 BOOM on a 7×7 board, with row 0 at the bottom. Four in a row loses.

    A cell is 0 (empty), 1 or 2 (a piece), 4 (the bomb of player 1) or 5 (the bomb of player 2).
    """

    def __init__(self):
        self._rows = [[0] * SIZE for _ in range(SIZE)]
        self._plies = 0
        self._last = {1: None, 2: None}

    @property
    def active_player(self):
        """The player to move, 1 or 2."""
        return self._plies % 2 + 1

    @property
    def round(self):
        """The round, from 1; it increases after each move of player 2. Pieces dropped in rounds 5, 10, 15... are bombs."""
        return self._plies // 2 + 1

    @property
    def cells(self):
        """All 49 cells, row 0 first."""
        return [cell for row in self._rows for cell in row]

    @property
    def free_cells(self):
        """The number of empty cells."""
        return self.cells.count(0)

    def clone(self):
        """Return an independent copy: changing it does not change this environment."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._rows = [row[:] for row in self._rows]
        twin._last = dict(self._last)
        return twin

    def see_cell(self, row, col):
        """Return the contents of a cell: 0 (empty), 1 or 2 (a piece), 4 or 5 (a bomb)."""
        if not (0 <= row < SIZE and 0 <= col < SIZE):
            raise IndexError(f"see_cell: row and column must be from 0 to {SIZE - 1}, not ({row!r}, {col!r})")
        return self._rows[row][col]

    def has_bomb(self, player):
        """Return whether that player has a bomb on the board."""
        return player in (1, 2) and player + 3 in self.cells

    def last_action(self, player):
        """Return that player's last action, or None before its first."""
        return self._last.get(player)

    def possible_actions(self):
        """Return the legal actions of the player to move, in the order 0 to 7."""
        drops = [col for col in range(SIZE) if self._rows[SIZE - 1][col] == 0]
        return [*drops, BOOM] if self.has_bomb(self.active_player) else drops

    def apply(self, action):
        """Play an action for the player to move. Raises `ValueError` if it is not legal."""
        if isinstance(action, bool) or not hasattr(action, "__index__") or not 0 <= action <= BOOM:
            raise ValueError(f"{action!r} is not an action: 0 to 6 drop a piece into that column, 7 is BOOM")
        action = int(action)
        if action not in self.possible_actions():
            why = (
                "BOOM is legal only while the player has a bomb on the board"
                if action == BOOM
                else f"column {action} is full"
            )
            raise ValueError(why)
        if action == BOOM:
            self._boom()
        else:
            self._put(action)
        self._last[self.active_player] = action
        self._plies += 1

    def generate_all_moves(self):
        """Return the environment after each legal action, in the order of `possible_actions`."""
        found = []
        for action in self.possible_actions():
            twin = self.clone()
            twin.apply(action)
            found.append(twin)
        return found

    def winner(self):
        """Return 1 or 2 if the opponent has made four in a row, otherwise 0.

        After a BOOM, both players may have a line: then the first one counts, from the bottom row and from the left.
        """
        for row in range(SIZE):
            for col in range(SIZE):
                owner = self._rows[row][col] % 3
                if owner and any(self._is_line(row, col, owner, step) for step in DIRECTIONS):
                    return 3 - owner
        return 0

    def is_over(self):
        """Return whether a player has won or the board is full."""
        return self.winner() != 0 or self.free_cells == 0

    def __str__(self):
        lines = [" ".join(".12?45"[cell] for cell in row) for row in reversed(self._rows)]
        return "\n".join([*lines, "1 2 3 4 5 6 7"])

    def __repr__(self):
        return f"<Environment round {self.round}, player {self.active_player} to move>\n{self}"

    def _put(self, col):
        """Drop a piece: a bomb in every fifth round, unless the player already has one."""
        player = self.active_player
        is_bomb = self.round % 5 == 0 and not self.has_bomb(player)
        row = next(row for row in range(SIZE) if self._rows[row][col] == 0)
        self._rows[row][col] = player + 3 if is_bomb else player

    def _boom(self):
        """Remove the player's own pieces from the row of its bomb; everything above them falls by one cell."""
        player = self.active_player
        row = next(row for row in range(SIZE) if player + 3 in self._rows[row])
        for col in range(SIZE):
            if self._rows[row][col] % 3 == player:
                for height in range(row, SIZE - 1):
                    self._rows[height][col] = self._rows[height + 1][col]
                self._rows[SIZE - 1][col] = 0

    def _is_line(self, row, col, owner, step):
        """Return whether four pieces of that owner, bombs included, form a line that starts at a cell."""
        up, right = step
        if not (0 <= row + 3 * up < SIZE and col + 3 * right < SIZE):
            return False
        return all(self._rows[row + at * up][col + at * right] % 3 == owner for at in range(4))
