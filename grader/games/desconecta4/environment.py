"""`Environment`: the object that a Desconecta-4 player is given."""

from grader.errors import IllegalMove
from grader.games.base import quote, whole_number
from grader.games.desconecta4 import bits
from grader.games.desconecta4.bits import SIZE, START, BitState
from grader.language import say

LastActions = tuple[int | None, int | None]
"""The last actions of player 1 and player 2; None before the first."""


class Environment:
    """A position of Desconecta-4 BOOM on a 7×7 board, with row 0 at the bottom. Four in a row loses.

    A cell is 0 (empty), 1 or 2 (a piece), 4 (the bomb of player 1) or 5 (the bomb of player 2). The actions 0 to 6 drop a
    piece into that column, and 7 is BOOM.
    """

    _state: BitState
    _last: LastActions

    def __init__(self) -> None:
        self._state = START
        self._last = (None, None)

    @classmethod
    def from_state(cls, state: BitState, last: LastActions = (None, None)) -> "Environment":
        """The environment for that state."""
        environment = cls()
        environment._state, environment._last = state, last
        return environment

    @property
    def state(self) -> BitState:
        """The position as bitboards; see `bits`."""
        return self._state

    @property
    def active_player(self) -> int:
        """The player to move, 1 or 2."""
        return bits.player_to_move(self._state)

    @property
    def round(self) -> int:
        """The round, from 1; it increases after each move of player 2. In rounds 5, 10, 15… a dropped piece can be a bomb."""
        return bits.round_number(self._state)

    @property
    def cells(self) -> list[int]:
        """All 49 cells, row 0 first."""
        return [self.see_cell(row, col) for row in range(SIZE) for col in range(SIZE)]

    @property
    def free_cells(self) -> int:
        """The number of empty cells."""
        mine, theirs, *_ = self._state
        return SIZE * SIZE - (mine | theirs).bit_count()

    def clone(self) -> "Environment":
        """An independent copy."""
        return self._copy_with(self._state, self._last)

    def see_cell(self, row: int, col: int) -> int:
        """The contents of a cell: 0 (empty), 1 or 2 (a piece), 4 or 5 (a bomb)."""
        if not (0 <= row < SIZE and 0 <= col < SIZE):
            raise IndexError(f"see_cell: row and column must be from 0 to {SIZE - 1}, not ({quote(row)}, {quote(col)})")
        bit = bits.CELLS[row][col]
        mine, theirs, my_bomb, their_bomb, *_ = self._state
        owner = self.active_player if mine & bit else 3 - self.active_player if theirs & bit else 0
        return owner + 3 if (my_bomb | their_bomb) & bit else owner

    def has_bomb(self, player: int) -> bool:
        """Whether that player has a bomb on the board; False for a player that is not 1 or 2."""
        _, _, my_bomb, their_bomb, *_ = self._state
        return player in (1, 2) and bool(my_bomb if player == self.active_player else their_bomb)

    def last_action(self, player: int) -> int | None:
        """That player's last action; None before its first, and for a player that is not 1 or 2."""
        return self._last[int(player) - 1] if player in (1, 2) else None

    def possible_actions(self) -> list[int]:
        """The legal actions of the player to move, in the order 0 to 7."""
        return bits.actions(self._state)

    def apply(self, action: int) -> None:
        """Play an action for the player to move. Raises `IllegalMove`, a `ValueError`, if it is not legal."""
        number = whole_number(action)
        if number is None or not 0 <= number <= bits.BOOM:
            raise IllegalMove(
                say("{action} is not an action: 0 to 6 drop a piece into that column, 7 is BOOM", action=quote(action))
            )
        state = bits.after(self._state, number)
        if state is None:
            if number == bits.BOOM:
                raise IllegalMove(say("BOOM is legal only while the player has a bomb on the board"))
            raise IllegalMove(say("column {number} is full", number=number))
        self._last = self._last_with(number)
        self._state = state

    def generate_all_moves(self) -> list["Environment"]:
        """The environment after each possible action, in the order of `possible_actions`."""
        return [self._copy_with(state, self._last_with(action)) for action, state in bits.successors(self._state)]

    def winner(self) -> int:
        """1 or 2 if the opponent has made four in a row, otherwise 0."""
        return bits.result_of(self._state) or 0

    def is_over(self) -> bool:
        """Whether a player has won or the board is full."""
        return bits.result_of(self._state) is not None

    def __str__(self) -> str:
        return draw(self)

    def __repr__(self) -> str:
        return f"<Environment round {self.round}, player {self.active_player} to move>\n{self}"

    def _copy_with(self, state: BitState, last: LastActions) -> "Environment":
        twin = object.__new__(type(self))
        if type(self) is not Environment:
            twin.__dict__.update(self.__dict__)  # additional attributes of a student's subclass
        twin._state = state
        twin._last = last
        return twin

    def _last_with(self, action: int) -> LastActions:
        return (action, self._last[1]) if self.active_player == 1 else (self._last[0], action)


def draw(environment: Environment) -> str:
    """The board as text: the top row first, and columns numbered from 1, like PUT1 to PUT7."""
    cells = environment.cells
    lines = [" ".join(".12?45"[cell] for cell in cells[row * SIZE : (row + 1) * SIZE]) for row in reversed(range(SIZE))]
    return "\n".join([*lines, " ".join("1234567")])
