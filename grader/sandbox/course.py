"""The modules that a course hands out, for submissions that import them and do not ship a working one of their own.

Submissions ask for the same two classes under many names (`player`, `base`, `hex_board`, `src.Entities.Player`, …). Each of
these names, where nothing else answers to it, is a module with all of the course's classes in it.
"""

import builtins
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
)
from types import ModuleType
from typing import Any

from grader.games.base import Json
from grader.games.desconecta4.environment import Environment
from grader.games.hex.board import HexBoard
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


class CourseModules:
    """Finds and loads the course's modules that nobody else has. Goes last on `sys.meta_path`.

    It has the shape of a finder and of a loader, and derives from neither: `importlib.abc` takes 10 ms to import.
    """

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
        return ModuleSpec(fullname, self, is_package=package)  # type: ignore[arg-type]  # a loader by its shape

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave that to the import system."""

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


def offer(names: Iterable[str]) -> None:
    """Offer the course's modules, under these names and all the usual ones, to whatever is imported from now on."""
    sys.meta_path.append(CourseModules((*MODULES, *names)))
    vars(builtins).update(CLASSES)  # for those who use them in an annotation and never import them


class GrantedFiles:
    """Finds modules of one folder among files that are granted one by one: the folder itself cannot be listed."""

    def __init__(self, folder: str, files: Iterable[str], loader: type[SourceFileLoader]) -> None:
        self._folder, self._files, self._loader = folder, frozenset(files), loader

    def find_spec(self, fullname: str, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG002
        """The module of that name: a package, a file, or a folder that holds granted files."""
        at = os.path.join(self._folder, fullname.rpartition(".")[2])
        package = os.path.join(at, "__init__.py")
        if package in self._files:
            spec = ModuleSpec(fullname, self._loader(fullname, package), origin=package, is_package=True)
            spec.submodule_search_locations = [at]
        elif file := next((at + end for end in (*EXTENSION_SUFFIXES, ".py") if at + end in self._files), None):
            kind = self._loader if file.endswith(".py") else ExtensionFileLoader
            spec = ModuleSpec(fullname, kind(fullname, file), origin=file)
        elif any(file.startswith(at + os.sep) for file in self._files):
            spec = ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = [at]
            return spec
        else:
            return None
        spec.has_location = True
        return spec

    def invalidate_caches(self) -> None:
        """Nothing is kept."""


def own_files(granted: Sequence[str], stubs: Sequence[Sequence[str]]) -> type[SourceFileLoader]:
    """Have these files, and those in these folders, loaded the submission's way; return the loader that does it."""
    files = [path for path in granted if os.path.isfile(path)]
    folders = [path for path in granted if path not in files]

    class OwnFile(SourceFileLoader):
        """Runs a file of the submission with the course's classes behind it.

        They answer where the file is asked for one that it does not have (`from player import Player` in `player.py`),
        and take the place of those in `stubs`: a file, and a class there that was left without its workings.
        """

        def exec_module(self, module: ModuleType) -> None:
            vars(module)["__getattr__"] = _answering_for(module.__name__)
            super().exec_module(module)
            for file, name in stubs:
                if file == self.path:
                    setattr(module, name, CLASSES[name])

        def path_stats(self, path: str) -> Any:
            raise OSError(f"{path}: compiled files are not used: what was looked at is what runs")

    def finder(path: str) -> FileFinder | GrantedFiles:
        if not any(path == folder or path.startswith(folder + os.sep) for folder in folders):
            if any(file.startswith(path + os.sep) for file in files):
                return GrantedFiles(path, files, OwnFile)
            raise ImportError
        return FileFinder(path, (ExtensionFileLoader, EXTENSION_SUFFIXES), (OwnFile, SOURCE_SUFFIXES))

    sys.path_hooks.insert(0, finder)
    return OwnFile


def _answering_for(module: str) -> Callable[[str], Any]:
    def answer(name: str) -> Any:
        if name in CLASSES:
            return CLASSES[name]
        raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)

    return answer


def _neighbours(board: HexBoard, row: Any, col: Any = None) -> list[tuple[int, int]]:
    if col is None:  # given as one cell
        row, col = row
    grid = board._grid
    bit = grid.bits[row][col]
    return grid.listed(grid.spread(bit) & grid.full & ~bit)


def _from_the_centre(board: HexBoard) -> list[tuple[int, int]]:
    last = board.size - 1
    return sorted(board.get_possible_moves(), key=lambda cell: abs(2 * cell[0] - last) + abs(2 * cell[1] - last))


_EXTENSIONS: dict[str, Any] = {
    "get_neighbors": _neighbours,
    "_neighbors": _neighbours,
    "get_empty_cells": HexBoard.get_possible_moves,
    "get_possible_center_moves": _from_the_centre,
}
"""What some editions of the board had beyond the hand-out."""


WHITE, BLACK, EMPTY = "W", "B", "."
_LETTERS = (EMPTY, WHITE, BLACK)


class GameError(Exception):
    """What the game of the 2022 edition raises for a cell that is taken or outside the board."""


class Game2022:
    """The game object of the 2022 edition: `game[x, y]`, `neighbour`, `clone_play`, `winner`. W is player 1."""

    def __init__(self, size: int) -> None:
        self._show(HexBoard(size), 0)

    @classmethod
    def showing(cls, board: HexBoard, turn: int) -> "Game2022":
        """The game that has come to this board."""
        game = cls.__new__(cls)
        game._show(board, turn)
        return game

    def _show(self, board: HexBoard, turn: int) -> None:
        self.size = board.size
        self.turn = turn
        """0 if White is to play, 1 if Black is."""
        self.board = [[_LETTERS[cell] for cell in row] for row in board.board]
        """The cells as letters."""
        self._behind = board

    def __getitem__(self, cell: tuple[int, int]) -> str:
        x, y = cell
        if not self.checkInside(x, y):
            raise GameError(f"({x}, {y}) is outside the board")
        return self.board[x][y]

    def checkInside(self, x: int, y: int) -> bool:  # noqa: N802  as the course called it
        """Whether that is a cell of the board."""
        return 0 <= x < self.size and 0 <= y < self.size

    def current(self) -> str:
        """Whose turn it is."""
        return (WHITE, BLACK)[self.turn]

    def neighbour(self, x: int, y: int) -> Iterator[tuple[int, int]]:
        """The cells next to one."""
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
        """Who has connected, or `EMPTY`."""
        return WHITE if self._behind.check_connection(1) else BLACK if self._behind.check_connection(2) else EMPTY

    def __clone__(self) -> "Game2022":
        twin = Game2022.__new__(Game2022)
        twin.size, twin.turn, twin._behind = self.size, self.turn, self._behind.clone()
        twin.board = [row[:] for row in self.board]
        return twin

    def __str__(self) -> str:
        return "\n".join(" " * at + " ".join(row) for at, row in enumerate(self.board))


def edition_2022(name: str) -> dict[str, Any] | None:
    """What a module of the 2022 edition holds, if it is one of its modules."""
    logic = {"Game": Game2022, "GameError": GameError, "PLAYER": [WHITE, BLACK]}
    logic |= {"WHITE": WHITE, "BLACK": BLACK, "EMPTY": EMPTY, WHITE: WHITE, BLACK: BLACK}
    tools = {"oo": float("inf")}
    modules: dict[str, dict[str, Any]] = {
        "game_logic": logic,
        "tools": tools,
        "minimax": {**logic, **tools, "minimax": _minimax_2022},
    }
    return modules.get(name)


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
