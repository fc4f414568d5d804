"""The environment that your player is handed. It belongs to the course: you need not change it, nor hand it in.

When your player is graded it gets a faster environment with these same members, and no others.
"""

SIZE = 7
BOOM = 7
"""The action that sets off one's own bomb; the actions 0 to 6 drop a piece in that column."""
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, 1))
"""Rows up and columns right, from a cell of a line to the next."""


class Environment:
    """A position of Desconecta-4 BOOM on a 7×7 board, row 0 at the bottom. Whoever owns four in line loses.

    Cells are 0 empty, 1 and 2 pieces, 4 the bomb of player 1 and 5 the bomb of player 2.
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
        """Counts from 1; goes up after each ply of player 2. In rounds 5, 10, 15... a drop can be a bomb."""
        return self._plies // 2 + 1

    @property
    def cells(self):
        """All 49 cells, row 0 first."""
        return [cell for row in self._rows for cell in row]

    @property
    def free_cells(self):
        """How many cells are empty."""
        return self.cells.count(0)

    def clone(self):
        """An independent copy: what you do to it changes nothing here."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._rows = [row[:] for row in self._rows]
        twin._last = dict(self._last)
        return twin

    def see_cell(self, row, col):
        """What is in a cell: 0 empty, 1 or 2 a piece, 4 or 5 a bomb."""
        if not (0 <= row < SIZE and 0 <= col < SIZE):
            raise IndexError(f"see_cell: row and column are 0 to {SIZE - 1}, not ({row!r}, {col!r})")
        return self._rows[row][col]

    def has_bomb(self, player):
        """Whether that player has a bomb on the board."""
        if player not in (1, 2):
            raise ValueError(f"has_bomb: the player is 1 or 2, not {player!r}")
        return player + 3 in self.cells

    def last_action(self, player):
        """What that player did last, or None before its first action."""
        if player not in (1, 2):
            raise ValueError(f"last_action: the player is 1 or 2, not {player!r}")
        return self._last[player]

    def possible_actions(self):
        """What the player to move may do, in the order 0 to 7."""
        drops = [col for col in range(SIZE) if self._rows[SIZE - 1][col] == 0]
        return [*drops, BOOM] if self.has_bomb(self.active_player) else drops

    def apply(self, action):
        """Let the player to move act. Raises a `ValueError` if it may not."""
        if isinstance(action, bool) or not hasattr(action, "__index__") or not 0 <= action <= BOOM:
            raise ValueError(f"{action!r} is no action: 0 to 6 drop a piece in that column, 7 is BOOM")
        action = int(action)
        if action not in self.possible_actions():
            why = "BOOM needs a bomb of one's own on the board" if action == BOOM else f"column {action} is full"
            raise ValueError(f"action {action} is not possible: {why}")
        if action == BOOM:
            self._boom()
        else:
            self._put(action)
        self._last[self.active_player] = action
        self._plies += 1

    def generate_all_moves(self):
        """The environment after each possible action, in the order of `possible_actions`."""
        found = []
        for action in self.possible_actions():
            twin = self.clone()
            twin.apply(action)
            found.append(twin)
        return found

    def winner(self):
        """1 or 2 once the other owns a line of four, else 0.

        After a BOOM both may own one: then the first line counts, row by row from the bottom and from the left.
        """
        for row in range(SIZE):
            for col in range(SIZE):
                owner = self._rows[row][col] % 3
                if owner and any(self._is_line(row, col, owner, step) for step in DIRECTIONS):
                    return 3 - owner
        return 0

    def is_over(self):
        """Whether somebody has won or no cell is free."""
        return self.winner() != 0 or self.free_cells == 0

    def __str__(self):
        lines = [" ".join(".12?45"[cell] for cell in row) for row in reversed(self._rows)]
        return "\n".join([*lines, "1 2 3 4 5 6 7"])

    def __repr__(self):
        return f"<Environment round {self.round}, player {self.active_player} to move>\n{self}"

    def _put(self, col):
        """Drop a piece: a bomb in every fifth round, unless its player has one already."""
        player = self.active_player
        is_bomb = self.round % 5 == 0 and not self.has_bomb(player)
        row = next(row for row in range(SIZE) if self._rows[row][col] == 0)
        self._rows[row][col] = player + 3 if is_bomb else player

    def _boom(self):
        """Take the player's own pieces out of its bomb's row; what lies on them falls by one."""
        player = self.active_player
        row = next(row for row in range(SIZE) if player + 3 in self._rows[row])
        for col in range(SIZE):
            if self._rows[row][col] % 3 == player:
                for height in range(row, SIZE - 1):
                    self._rows[height][col] = self._rows[height + 1][col]
                self._rows[SIZE - 1][col] = 0

    def _is_line(self, row, col, owner, step):
        """Whether four of that owner stand in line from a cell on. Bombs count."""
        up, right = step
        if not (0 <= row + 3 * up < SIZE and col + 3 * right < SIZE):
            return False
        return all(self._rows[row + at * up][col + at * right] % 3 == owner for at in range(4))
