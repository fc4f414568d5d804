"""The rules of Hex: players take turns placing stones, and the first to connect its two sides wins. There are no draws."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from grader.errors import IllegalMove
from grader.games.base import Game, Json, option_error, quote, whole_number
from grader.games.hex.board import HexBoard
from grader.games.hex.drawing import draw, place_of
from grader.games.hex.grid import ADJACENCIES, LETTERS, MAX_SIZE, HexGrid, hex_grid
from grader.language import Message, say
from grader.records import Outcome

if TYPE_CHECKING:
    from grader.games.interface import Interface
    from grader.games.words import EndingWords

CONNECTED = "connected"
"""The only natural ending."""

_ONES, _TWOS = str.maketrans(".12", "010"), str.maketrans(".12", "001")

HexMove = tuple[int, int]
"""Row and column, both from 0."""


@dataclass(frozen=True, slots=True)
class HexPosition:
    """The stones of both players as bits of the grid, and whose turn it is."""

    one: int
    two: int
    turn: int
    """The seat to move, 0 for player 1."""


@dataclass(frozen=True, slots=True)
class Hex(Game):
    """Hex on a board of the given size. Player 1 moves first and connects left and right."""

    name: ClassVar[str] = "hex"
    title: ClassVar[str] = "Hex"
    rank: ClassVar[int] = 1
    option_help: ClassVar[Mapping[str, str]] = {
        "size": f"cells along a side, 1 to {MAX_SIZE}",
        "adjacency": "which cells are neighbours, axial or even-r",
    }

    size: int = 11
    """Cells along a side, 1 to 26."""
    adjacency: str = "axial"
    """Which cells are neighbours: `axial`, or `even-r` (even rows are shifted half a cell to the right)."""

    def __post_init__(self) -> None:
        size = whole_number(self.size)
        if size is None or not 1 <= size <= MAX_SIZE:
            problem = say("must be a whole number from 1 to {most}, not {value}", most=MAX_SIZE, value=quote(self.size))
            raise option_error("hex", "size", problem)
        if self.adjacency not in ADJACENCIES:
            problem = say("must be axial or even-r, not {value}", value=quote(self.adjacency))
            raise option_error("hex", "adjacency", problem)
        object.__setattr__(self, "size", size)  # a plain int, even if it was e.g. a numpy integer

    @property
    def grid(self) -> HexGrid:
        """The geometry of the board."""
        return hex_grid(self.size, self.adjacency)

    @property
    def max_plies(self) -> int:  # type: ignore[override]
        """One move for each cell."""
        return self.size**2

    def start(self) -> HexPosition:
        return HexPosition(0, 0, 0)

    def turn(self, position: HexPosition) -> int:
        return position.turn

    def moves(self, position: HexPosition) -> Sequence[HexMove]:
        if self.outcome(position) is not None:
            return ()
        return self.grid.list_cells(self.grid.full & ~(position.one | position.two))

    def play(self, position: HexPosition, move: HexMove) -> HexPosition:
        cell = self.read_move(move)
        if cell is None:
            raise IllegalMove(say("{move} is not a cell of the {size}×{size} board", move=quote(move), size=self.size))
        row, col = cell
        bit = self.grid.bits[row][col]
        if bit & (position.one | position.two):
            raise IllegalMove(say("({row}, {col}) is already taken", row=row, col=col))
        if self.outcome(position) is not None:
            raise IllegalMove(say("the game is over"))
        if position.turn == 0:
            return HexPosition(position.one | bit, position.two, 1)
        return HexPosition(position.one, position.two | bit, 0)

    def apply(self, position: HexPosition, move: HexMove) -> HexPosition:
        return self.play(position, move)  # it checks the move, and says why it is illegal

    def outcome(self, position: HexPosition) -> Outcome | None:
        return _outcome(self.grid, position.one, position.two)

    def read_move(self, value: object) -> HexMove | None:
        pair: Any = value
        try:
            if not isinstance(value, (tuple, list)) and not hasattr(value, "__array__"):  # numpy arrays are accepted
                return None
            first, second = pair
        except Exception:  # noqa: BLE001  the value is a student's: its methods may raise anything
            return None
        row, col = whole_number(first), whole_number(second)
        if row is None or col is None or not (0 <= row < self.size and 0 <= col < self.size):
            return None
        return row, col

    def move_json(self, move: HexMove) -> Json:
        return list(move)

    def move_text(self, move: HexMove) -> str:
        row, col = move
        return f"{LETTERS[col]}{row + 1}"

    def parse_move(self, text: str) -> HexMove:
        written = re.fullmatch(r"([a-zA-Z])([1-9][0-9]?)", text.strip())
        move = self.read_move((int(written[2]) - 1, LETTERS.index(written[1].lower()))) if written else None
        if move is None:
            last = self.move_text((self.size - 1, self.size - 1))
            raise ValueError(
                say(
                    "{text} is not a cell; write e.g. {example} (a1 to {last})",
                    text=quote(text),
                    example=self.move_text((self.size // 2, self.size // 2)),
                    last=last,
                )
            )
        return move

    def position_json(self, position: HexPosition) -> Json:
        return {"rows": self.grid.signs(position.one, position.two), "turn": position.turn + 1}

    def read_position(self, data: Json) -> HexPosition:
        # The reverse of `HexGrid.signs`: the rows are the binary digits of both sets of stones.
        rows = data["rows"]
        if [len(row) for row in rows] != [self.size] * self.size:
            raise ValueError(f"there must be {self.size} rows of {self.size} cells")
        digits = ".".join(rows)[::-1]
        one, two = int(digits.translate(_ONES), 2), int(digits.translate(_TWOS), 2)
        if (turn := _turn(one, two)) != data["turn"] - 1:
            raise ValueError(
                f"it cannot be player {quote(data['turn'])}'s turn: player 1 has {one.bit_count()} stones on the board, "
                f"and player 2 has {two.bit_count()}"
            )
        return HexPosition(one, two, turn)

    def board(self, position: HexPosition) -> HexBoard:
        return HexBoard.from_stones(self.grid, position.one, position.two)

    def position_of(self, board: HexBoard) -> HexPosition:
        one, two = board.stones(1), board.stones(2)
        return HexPosition(one, two, _turn(one, two))

    def draw(self, position: HexPosition) -> str:
        return draw(self.grid, position.one, position.two)

    def plies(self) -> tuple[float, float]:
        return 0.3 * self.size**2, float(self.size**2)

    def relative_cost(self) -> float:
        return self.size**2 / Hex().size ** 2

    def variant(self) -> tuple[Game, str] | None:
        if self.size < SMALLEST_VARIANT:
            return None
        size = USUAL_SMALL if self.size > USUAL_SMALL else self.size - 1
        return replace(self, size=size), f"{size}×{size}"

    def move_help(self) -> Message:
        middle = self.size // 2
        return say(
            "Type a cell by column and row, e.g. {cell}, or the value that play() would return: {middle} {middle} or "
            "({middle}, {middle}).",
            cell=self.move_text((middle, middle)),
            middle=middle,
        )

    def place_in_drawing(self, move: HexMove) -> tuple[int, int]:
        return place_of(self.grid, *move)

    def refusal(self, move: HexMove) -> Message:
        return say("{move} is already taken.", move=self.move_text(move))

    def legend(self) -> Message:
        return say("1 connects left and right, 2 top and bottom.")

    def option_names(self) -> Mapping[str, Message]:
        return {"size": say("size"), "adjacency": say("adjacency")}

    def ending_words(self, ending: str, *, drawn: bool) -> "EndingWords":
        from grader.games.hex.words import CONNECTED_WORDS

        return CONNECTED_WORDS if ending == CONNECTED else Game.ending_words(self, ending, drawn=drawn)

    def packed_moves(self, moves: Sequence[str]) -> str:
        from grader.games.hex.notation import pack_moves

        return pack_moves(self, moves)

    def interface(self) -> "Interface":
        from grader.games.hex.interface import HexInterface

        return HexInterface()


USUAL_SMALL = 7
"""The size of the smaller board on which `grader check` also tries players."""
SMALLEST_VARIANT = 3
"""The smallest size for which a smaller board is tried."""


def _turn(one: int, two: int) -> int:
    return 0 if one.bit_count() <= two.bit_count() else 1


@lru_cache(maxsize=8)
def _outcome(grid: HexGrid, one: int, two: int) -> Outcome | None:
    """Remembered, because the outcome of a position is needed to play a move and to check whether the game is over."""
    if grid.connects(one, 1):
        return Outcome(CONNECTED, 0)
    return Outcome(CONNECTED, 1) if grid.connects(two, 2) else None
