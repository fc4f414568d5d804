"""The modules that a course hands out, for submissions that import them and do not ship a working one of their own.

Submissions ask for the same two classes under many names (`player`, `base`, `hex_board`, `src.Entities.Player`, …). Each of
these names, where nothing else answers to it, is a module with all of the course's classes in it.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from grader.games.base import Json
from grader.games.environment import Environment
from grader.games.hex_board import HexBoard
from grader.player import Player

PLAYER_MODULES = (
    *("player", "Player", "player_base", "base_player", "basic_classes", "base", "father_player", "base_class_player"),
    *("src.Entities.Player", "main"),
)
BOARD_MODULES = (
    *("board", "Board", "hex_board", "hexBoard", "HexBoard", "hexboard", "hex_table", "base_class_hexboard"),
    *("environment", "Environment", "entorno"),
)
EDITION_2022 = ("game_logic", "minimax", "tools")

MODULES = (*PLAYER_MODULES, *BOARD_MODULES, *EDITION_2022)
"""Every name under which the course's classes have been asked for."""

CLASSES: dict[str, Any] = {"Player": Player, "HexBoard": HexBoard, "Environment": Environment}


class CourseModules(MetaPathFinder, Loader):
    """Answers for the course's modules that nobody else has. Goes last on `sys.meta_path`."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  the import system says it to every finder
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """The course's module of that name, or the package that holds it."""
        package = any(name.startswith(fullname + ".") for name in self._names)
        if fullname not in self._names and not package:
            return None
        return ModuleSpec(fullname, self, is_package=package)

    def exec_module(self, module: ModuleType) -> None:
        """Fill it."""
        vars(module).update(edition_2022(module.__name__) or CLASSES)


def prepare(game: Json, *, extended: bool) -> None:
    """Make the course's classes in this process those of the assignment: its adjacency, and its extras if any."""
    if game["name"] == "hex":
        # The default of a parameter is an attribute of the function, and this process belongs to one player.
        HexBoard.__init__.__defaults__ = (game["options"]["adjacency"],)
    if extended:
        for name, method in _EXTENSIONS.items():
            setattr(HexBoard, name, method)


def replace_stubs(stubs: Iterable[Sequence[str]]) -> None:
    """Put the course's classes where a submission ships the same ones with nothing in them."""
    for module_name, class_name in stubs:
        try:
            module = __import__(module_name, fromlist=["*"])
        except ImportError:
            continue  # the player's own import of it will say what is wrong
        setattr(module, class_name, CLASSES[class_name])


def _neighbours(board: HexBoard, row: int, col: int) -> list[tuple[int, int]]:
    grid = board._grid
    bit = grid.bits[row][col]
    return grid.listed(grid.spread(bit) & grid.full & ~bit)


_EXTENSIONS: dict[str, Any] = {
    "get_neighbors": _neighbours,
    "_neighbors": _neighbours,
    "get_empty_cells": HexBoard.get_possible_moves,
}
"""What some editions of the board had beyond the hand-out."""


WHITE, BLACK, EMPTY = "W", "B", "."


class Game2022:
    """The game object of the 2022 edition: `game[x, y]`, `neighbour`, `clone_play`, `winner`. W is player 1."""

    def __init__(self, size: int, board: HexBoard | None = None, turn: int = 0) -> None:
        self.size = size
        self.turn = turn
        self._board = board if board is not None else HexBoard(size)

    def __getitem__(self, cell: tuple[int, int]) -> str:
        x, y = cell
        return (EMPTY, WHITE, BLACK)[self._board.board[x][y]]

    @property
    def board(self) -> list[list[str]]:
        """The cells as letters."""
        return [[(EMPTY, WHITE, BLACK)[cell] for cell in row] for row in self._board.board]

    def current(self) -> str:
        """Whose turn it is."""
        return (WHITE, BLACK)[self.turn]

    def neighbour(self, x: int, y: int) -> Iterator[tuple[int, int]]:
        """The cells next to one."""
        return iter(_neighbours(self._board, x, y))

    def play(self, x: int, y: int) -> None:
        """Play a cell for the player whose turn it is."""
        if not self._board.place_piece(x, y, self.turn + 1):
            raise ValueError(f"({x}, {y}) is taken or outside the board")
        self.turn = 1 - self.turn

    def clone_play(self, x: int, y: int) -> "Game2022":
        """A copy of the game in which a cell has been played."""
        twin = Game2022(self.size, self._board.clone(), self.turn)
        twin.play(x, y)
        return twin

    def winner(self) -> str:
        """Who has connected, or `EMPTY`."""
        return WHITE if self._board.check_connection(1) else BLACK if self._board.check_connection(2) else EMPTY


def edition_2022(name: str) -> dict[str, Any] | None:
    """What a module of the 2022 edition holds, if it is one of its modules."""
    if name == "game_logic":
        return {"Game": Game2022, "PLAYER": (WHITE, BLACK), "WHITE": WHITE, "BLACK": BLACK, "EMPTY": EMPTY} | {
            letter: letter for letter in (WHITE, BLACK)
        }
    if name == "tools":
        return {"oo": float("inf")}
    if name == "minimax":
        return {"minimax": _minimax_2022}
    return None


def _minimax_2022(game: Game2022, player: str, depth: int, h: Any, moves: Any) -> Any:
    """The search that the 2022 edition handed out: `h(game, player)` values a leaf, `moves(game, player)` lists moves."""

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


def install(names: Iterable[str]) -> None:
    """Offer the course's modules, under these names and all the usual ones, to whatever is imported from now on."""
    sys.meta_path.append(CourseModules((*MODULES, *names)))
