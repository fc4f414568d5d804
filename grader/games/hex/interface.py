"""The modules that Hex courses have handed out, under all names in use, and those of the 2022 edition.

Submissions import the same two classes from modules with many names (`player`, `base`, `hex_board`,
`src.Entities.Player`, …). Each name that the submission does not define itself becomes a module with both classes. This
code runs in the player's process.
"""

from collections.abc import Callable, Iterator
from typing import Any

from grader.games.base import Game
from grader.games.hex.board import HexBoard
from grader.games.hex.player_code import BOARD_MODULES, PLAYER_MODULES
from grader.games.interface import Ask, Interface
from grader.language import say

WHITE, BLACK, EMPTY = "W", "B", "."
_LETTERS = (EMPTY, WHITE, BLACK)


class HexInterface(Interface):
    """`Player` and `HexBoard`, and the modules of 2022."""

    def __init__(self) -> None:
        super().__init__({"HexBoard": HexBoard}, (*PLAYER_MODULES, *BOARD_MODULES), edition_2022())
        self.extensions = frozenset((HexBoard.__name__, member) for member in _EXTENSIONS)

    def prepare(self, game: Game, *, extended: bool) -> None:
        # Changing the default of the parameter affects only this process, which belongs to one player.
        HexBoard.__init__.__defaults__ = (game.options()["adjacency"],)
        if extended:
            for name, method in _EXTENSIONS.items():
                setattr(HexBoard, name, method)

    def function(self, play: Callable[[Any, str], Any], player_id: int) -> Ask:
        letter = WHITE if player_id == 1 else BLACK
        return lambda board: play(Game2022.from_board(board, player_id - 1), letter)

    def advice(self, kind: str, member: str) -> str | None:
        if kind == Game2022.__name__:
            return say(
                "A function play(game, player) receives the game object of the 2022 edition, which has no {name}. To use the "
                "course's board, write a class with play(self, board).",
                name=repr(member),
            )
        return super().advice(kind, member)


def _neighbours(board: HexBoard, row: Any, col: Any = None) -> list[tuple[int, int]]:
    if col is None:  # called with one (row, col) tuple
        row, col = row
    grid = board._grid
    bit = grid.bits[row][col]
    return grid.list_cells(grid.spread(bit) & grid.full & ~bit)


def _moves_from_centre(board: HexBoard) -> list[tuple[int, int]]:
    last = board.size - 1
    return sorted(board.get_possible_moves(), key=lambda cell: abs(2 * cell[0] - last) + abs(2 * cell[1] - last))


_EXTENSIONS: dict[str, Any] = {
    "get_neighbors": _neighbours,
    "_neighbors": _neighbours,
    "get_empty_cells": HexBoard.get_possible_moves,
    "get_possible_center_moves": _moves_from_centre,
}
"""Members that some editions of the board had in addition to those in the handout."""


class GameError(Exception):
    """Raised by the game of the 2022 edition for a cell that is taken or outside the board."""


class Game2022:
    """The game object of the 2022 edition: `game[x, y]`, `neighbour`, `clone_play`, `winner`. W is player 1."""

    def __init__(self, size: int) -> None:
        self._show(HexBoard(size), 0)

    @classmethod
    def from_board(cls, board: HexBoard, turn: int) -> "Game2022":
        """The game object for this board."""
        game = cls.__new__(cls)
        game._show(board, turn)
        return game

    def _show(self, board: HexBoard, turn: int) -> None:
        self.size = board.size
        self.turn = turn
        """0 if White is to move, 1 if Black is."""
        self.board = [[_LETTERS[cell] for cell in row] for row in board.board]
        """The cells as letters."""
        self._behind = board

    def __getitem__(self, cell: tuple[int, int]) -> str:
        x, y = cell
        if not self.checkInside(x, y):
            raise GameError(f"({x}, {y}) is outside the board")
        return self.board[x][y]

    def checkInside(self, x: int, y: int) -> bool:  # noqa: N802  the course's name for it
        """Whether the cell is on the board."""
        return 0 <= x < self.size and 0 <= y < self.size

    def current(self) -> str:
        """Whose turn it is."""
        return (WHITE, BLACK)[self.turn]

    def neighbour(self, x: int, y: int) -> Iterator[tuple[int, int]]:
        """The neighbours of a cell."""
        return iter(_neighbours(self._behind, x, y))

    def play(self, x: int, y: int) -> None:
        """Play a cell for the player whose turn it is."""
        if self[x, y] != EMPTY or not self._behind.place_piece(x, y, self.turn + 1):
            raise GameError(f"({x}, {y}) is taken")
        self.board[x][y] = self.current()
        self.turn = 1 - self.turn

    def clone_play(self, x: int, y: int) -> "Game2022":
        """A copy of the game in which a cell has been played."""
        twin = self.__clone__()
        twin.play(x, y)
        return twin

    def winner(self) -> str:
        """The player that has connected its sides, or `EMPTY`."""
        return WHITE if self._behind.check_connection(1) else BLACK if self._behind.check_connection(2) else EMPTY

    def __clone__(self) -> "Game2022":
        twin = Game2022.__new__(Game2022)
        twin.size, twin.turn, twin._behind = self.size, self.turn, self._behind.clone()
        twin.board = [row[:] for row in self.board]
        return twin

    def __str__(self) -> str:
        return "\n".join(" " * at + " ".join(row) for at, row in enumerate(self.board))


def edition_2022() -> dict[str, dict[str, Any]]:
    """The contents of the modules of the 2022 edition, by name."""
    logic = {"Game": Game2022, "GameError": GameError, "PLAYER": [WHITE, BLACK]}
    logic |= {"WHITE": WHITE, "BLACK": BLACK, "EMPTY": EMPTY, WHITE: WHITE, BLACK: BLACK}
    tools = {"oo": float("inf")}
    return {"game_logic": logic, "tools": tools, "minimax": {**logic, **tools, "minimax": _minimax_2022}}


def _minimax_2022(game: Game2022, player: str, depth: int, h: Any, moves: Any) -> Any:
    """The search in the 2022 handout: `h(game, player)` evaluates a leaf, `moves(game, player)` lists the moves."""

    def value(state: Game2022, left: int, alpha: float, beta: float) -> float:
        if (winner := state.winner()) != EMPTY:
            return 1.0 if winner == player else -1.0
        if left == 0:
            return float(h(state, player))
        mine = state.current() == player
        best = float("-inf") if mine else float("inf")
        for x, y in moves(state, state.current()):
            found = value(state.clone_play(x, y), left - 1, alpha, beta)
            best = max(best, found) if mine else min(best, found)
            alpha, beta = (max(alpha, best), beta) if mine else (alpha, min(beta, best))
            if alpha >= beta:
                break
        return best

    chosen, best = None, float("-inf")
    for x, y in moves(game, player):
        found = value(game.clone_play(x, y), depth - 1, best, float("inf"))
        if chosen is None or found > best:
            chosen, best = (x, y), found
    return chosen
