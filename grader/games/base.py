"""What a game is, for everything that does not need to know which one: referee, schedule, sandbox and reports.

A game is a frozen dataclass whose fields are the options that an assignment can set. It holds no state: positions are
immutable values that it makes and reads. To add one, write its file in this folder and name it in `GAMES`; the
conformance tests (`tests/games/test_conformance.py`) say whether it is complete.
"""

import operator
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, TypeVar

from grader.records import Outcome

Json = Any
"""A value that `json` can write and read back unchanged."""

Position = TypeVar("Position")
Move = TypeVar("Move")


class Game(Protocol[Position, Move]):
    """The rules of one game with its options, and how its moves and positions are written."""

    name: ClassVar[str]
    """As in an assignment: `hex`."""
    title: ClassVar[str]
    """As a person would say it: `Hex`."""

    def start(self) -> Position:
        """The position before the first move."""

    def turn(self, position: Position) -> int:
        """The seat to move: 0 is the player that moved first (player 1), 1 the other (player 2)."""

    def moves(self, position: Position) -> Sequence[Move]:
        """The legal moves in their listing order; none once the game is over."""

    def play(self, position: Position, move: Move) -> Position:
        """The position after a move. Raises `IllegalMove` if the rules do not allow it."""

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended, or None while it goes on.

        May depend on the way to the position (a draw by repetition), which only `play` knows: a position that was read
        from text, JSON or a board is one without a past.
        """

    def read_move(self, value: object) -> Move | None:
        """The move that a player or a JSON reader means by a value, or None if it cannot be a move on this board.

        Takes anything whatever; only what is meant to end a program (`SystemExit`, say) comes through. That the move is
        legal in some position is not said.
        """

    def move_json(self, move: Move) -> Json:
        """The move as JSON; `read_move` reads it back."""

    def move_text(self, move: Move) -> str:
        """The move as a person writes it, without spaces."""

    def parse_move(self, text: str) -> Move:
        """The move that a text means. Raises `ValueError` with a sentence if it means none."""

    def position_json(self, position: Position) -> Json:
        """All that a player may know of a position: cells and turn, but not the moves that led to it."""

    def read_position(self, data: Json) -> Position:
        """The position that `position_json` wrote."""

    def position_text(self, position: Position) -> str:
        """The position in one line."""

    def parse_position(self, text: str) -> Position:
        """The position that `position_text` wrote. Raises `ValueError` with a sentence if it is none."""

    def board(self, position: Position) -> Any:
        """The object that a player is handed: a copy of its own, to keep or to spoil."""

    def position_of(self, board: Any) -> Position:
        """The position that such an object shows."""

    def draw(self, position: Position) -> str:
        """The board as lines of text."""


def shown(value: object, limit: int = 60) -> str:
    """A value as an error message quotes it: short, and without an exception whatever it is."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  the value is a student's, or a number too large to be written
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def whole_number(value: object) -> int | None:
    """An integer by `__index__` (so numpy's too), or None for anything else, bools included."""
    number: Any = value
    try:
        return None if isinstance(value, bool) else operator.index(number)
    except Exception:  # noqa: BLE001  the value is a student's: whatever its methods do, it is no number then
        return None
