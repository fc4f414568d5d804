"""A third game, with its own formats of moves and positions, for the same tests as the real ones."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from grader.errors import IllegalMove
from grader.games.base import Game, quote, whole_number
from grader.records import Outcome

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True, slots=True)
class TicTacToe(Game):
    """A position is its nine cells; a move is one of them, 0 to 8."""

    name: ClassVar[str] = "tictactoe"
    title: ClassVar[str] = "Tic-tac-toe"

    def start(self) -> str:
        return "." * 9

    def turn(self, position: str) -> int:
        return 0 if position.count("1") == position.count("2") else 1

    def moves(self, position: str) -> Sequence[int]:
        return [] if self.outcome(position) else [cell for cell in range(9) if position[cell] == "."]

    def play(self, position: str, move: int) -> str:
        if self.read_move(move) is None or move not in self.moves(position):
            raise IllegalMove(f"{quote(move)} is not a cell that can be played")
        return position[:move] + "12"[self.turn(position)] + position[move + 1 :]

    def outcome(self, position: str) -> Outcome | None:
        for line in LINES:
            owners = {position[cell] for cell in line}
            if len(owners) == 1 and owners != {"."}:
                return Outcome("line", int(owners.pop()) - 1)
        return None if "." in position else Outcome("full_board", None)

    def read_move(self, value: object) -> int | None:
        number = whole_number(value)
        return number if number is not None and 0 <= number < 9 else None

    def move_json(self, move: int) -> Any:
        return move

    def move_text(self, move: int) -> str:
        return str(move + 1)

    def parse_move(self, text: str) -> int:
        if not re.fullmatch("[1-9]", text):
            raise ValueError(f"{text!r} is no cell: write 1 to 9")
        return int(text) - 1

    def position_json(self, position: str) -> Any:
        return list(position)

    def read_position(self, data: Any) -> str:
        return "".join(data)

    def board(self, position: str) -> list[str]:
        return list(position)

    def position_of(self, board: list[str]) -> str:
        return "".join(board)

    def draw(self, position: str) -> str:
        return "\n".join(position[at : at + 3] for at in (0, 3, 6))
