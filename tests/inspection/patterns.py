"""Submissions as students really write them, each a small folder that must load and play."""

import os
import sys

from tests.intake.folders import FIRST_MOVE, PLAYER, Files, plays

BASE = """
class Player:
    def __init__(self, player_id: int):
        self.player_id = player_id

    def play(self, board: "HexBoard") -> tuple:
        raise NotImplementedError("¡Implementa este método!")
"""
STUB_BOARD = """
class HexBoard:
    def __init__(self, size: int):
        self.size = size
        self.board = [[0] * size for _ in range(size)]

    def clone(self):
        \"\"\"Devuelve una copia del tablero actual\"\"\"
        pass

    def place_piece(self, row, col, player_id):
        pass

    def get_possible_moves(self):
        pass

    def check_connection(self, player_id):
        pass
"""
OTHER_BOARD = """
class HexBoard:
    NEIGHBOURS = [(0, 1), (1, 0), (0, -1), (-1, 0)]

    def __init__(self, size):
        self.size = size
        self.board = [[0] * size for _ in range(size)]

    def clone(self):
        twin = HexBoard(self.size)
        twin.board = [row[:] for row in self.board]
        return twin

    def place_piece(self, row, col, player_id):
        self.board[row][col] = player_id
        return True

    def check_connection(self, player_id):
        return "square"
"""


def imports(before: str) -> Files:
    """A player that imports its base and its board from modules that it does not include."""
    return {
        "player.py": plays(f"assert HexBoard(board.size).clone().place_piece(0, 0, 1)\n{FIRST_MOVE}", before=before)
    }


PLACES: dict[str, Files] = {
    name: {file: PLAYER}
    for name, file in {
        "solution.py at the top": "solution.py",
        "solution.py in a folder with spaces and accents": "José Núñez Ibáñez/solution.py",
        "player.py in src": "src/player.py",
        "main.py": "main.py",
        "hex.py": "hex.py",
        "best_players.py": "best_players.py",
        "minimax_player.py deeper": "proyecto/src/ia/minimax_player.py",
        "AIPlayer.py": "AIPlayer.py",
        "a folder with a dot": "v1.2/solution.py",
        "a name of the standard library": "queue.py",
    }.items()
}

IMPORTS: dict[str, Files] = {
    **{
        f"base from {module}": imports(f"from {module} import Player\nfrom board import HexBoard\n")
        for module in (
            *("player", "player_base", "basic_classes", "base", "father_player", "main", "base_class_player"),
            *("src.Entities.Player", "Player", "a_name.never.seen_before"),
        )
    },
    **{
        f"board from {module}": imports(f"from player import Player\nfrom {module} import HexBoard\n")
        for module in (
            *("hex_board", "HexBoard", "hexboard", "base", "main", "base_class_hexboard", "Board", "hex_table"),
            *("src.Entities.HexBoard", "another_name"),
        )
    },
    "from base import *": imports("from base import *\n"),
    "from an unknown module import *": imports("from course_classes import *\n"),
    "import base": {"a.py": plays(before="import base\nfrom base import Player\nassert base.HexBoard(3)\n")},
    "only in annotations": {
        "solution.py": "from player import Player\n\nclass SmartPlayer(Player):\n"
        "    def play(self, board: HexBoard) -> tuple[int, int]:\n"
        f"        {FIRST_MOVE}\n"
    },
    "only for the type checker": imports(
        "from typing import TYPE_CHECKING\nfrom player import Player\nif TYPE_CHECKING:\n    from board import HexBoard\n"
    ),
}

OWN_COPIES: dict[str, Files] = {
    "own base in the same file": {"player.py": plays(before=BASE)},
    "own base and stub board in the same file": {
        "player.py": plays(
            f"twin = HexBoard(board.size).clone()\nassert twin.place_piece(0, 0, 1)\n{FIRST_MOVE}",
            before=BASE + STUB_BOARD,
        )
    },
    "own base and stub board beside": {
        "player.py": BASE,
        "board.py": STUB_BOARD,
        "solution.py": plays(
            f"assert board.clone() is not None and HexBoard(3).clone().get_possible_moves()\n{FIRST_MOVE}",
            before="from player import Player\nfrom board import HexBoard\n",
        ),
    },
    "an empty board for the annotation": {
        "solution.py": plays(
            f"assert HexBoard(3).place_piece(1, 1, 1)\n{FIRST_MOVE}", before=BASE + "class HexBoard: ...\n"
        )
    },
    "own board with another adjacency": {
        "board.py": OTHER_BOARD,
        "solution.py": plays(
            f"assert HexBoard(3).clone().check_connection(1) == 'square'\nassert board.check_connection(1) is False\n{FIRST_MOVE}",
            before="from player import Player\nfrom board import HexBoard\n",
        ),
    },
    "own modules that lack what they are asked for": {
        "player.py": "x = 1\n",
        "board.py": "class Board:\n    pass\n",
        "solution.py": plays(
            f"assert HexBoard(2).clone()\n{FIRST_MOVE}",
            before="from player import Player, x\nfrom board import HexBoard, Board\n",
        ),
    },
    "the solution is called Player": {"player.py": PLAYER.replace("SmartPlayer(Player)", "Player").split("\n\n", 1)[1]},
}

MODULES: dict[str, Files] = {
    "the course's modules in a folder, imported whole": {
        "solution.py": f"import src.board\nimport src.player as sp\nfrom src import environment\n\nclass SmartPlayer(sp.Player):\n    def play(self, board):\n        assert isinstance(board, src.board.HexBoard) and environment\n        {FIRST_MOVE}\n"
    },
    "the same, beside a folder of that name": {
        "solution.py": f"import src.board\nimport src.tables\n\nclass SmartPlayer:\n    def play(self, board):\n        assert isinstance(board, src.board.HexBoard) and src.tables\n        {FIRST_MOVE}\n",
        "src/tables.py": "",
    },
    "player.py imports itself": {"player.py": plays(f"assert player.SmartPlayer\n{FIRST_MOVE}", before="import player\nfrom player import Player\n")},
    "player.py takes Player from itself": {"player.py": PLAYER},
    "siblings": {
        "solution.py": plays("return best(board)", before="from player import Player\nfrom heuristics import best\n"),
        "heuristics.py": "import tables\n\ndef best(board: HexBoard):\n    return board.get_possible_moves()[tables.FIRST]\n",
        "tables.py": "FIRST = 0\n",
    },
    "a module in the folder above": {
        "ia/player.py": plays("return best(board)", before="from player import Player\nfrom heuristics import best\n"),
        "heuristics.py": f"def best(board):\n    {FIRST_MOVE}\n",
    },
    "sub-packages": {
        "solution.py": plays("return best(board)", before="from player import Player\nfrom ia.search.best import best\n"),
        "ia/__init__.py": "",
        "ia/search/best.py": "from ..tables import FIRST\n\ndef best(board):\n    return board.get_possible_moves()[FIRST]\n",
        "ia/tables.py": "FIRST = 0\n",
    },
    "relative imports at the top": {
        "solution.py": plays("return best(board)", before="from player import Player\nfrom .heuristics import best\n"),
        "heuristics.py": f"def best(board):\n    {FIRST_MOVE}\n",
    },
    "the course's modules by relative imports": {
        "solution.py": plays(FIRST_MOVE, before="from .player import Player\nfrom . import board\nboard.HexBoard\n"),
    },
    "the course's modules two folders up": {
        "src/ia/player.py": plays("return best(board)", before="from ...base import Player\nfrom .tools import best\n"),
        "src/ia/tools.py": f"from ..board import HexBoard\n\ndef best(board):\n    {FIRST_MOVE}\n",
    },
    "relative imports two folders up": {
        "Mi Proyecto/src/ia/player.py": plays("return best(board)", before="from ...base import Player\nfrom .. import tools as t\nbest = t.best\n"),
        "Mi Proyecto/base.py": BASE,
        "Mi Proyecto/src/tools.py": f"def best(board):\n    {FIRST_MOVE}\n",
    },
    "a package whose __init__ has the player": {
        "hexai/__init__.py": plays("return best(board)", before="from player import Player\nfrom .tools import best\n"),
        "hexai/tools.py": f"def best(board):\n    {FIRST_MOVE}\n",
    },
    "by the name of its own folder": {
        "solution.py": plays("return best(board)", before="from player import Player\nfrom Ejemplo_Peña_Ríos.tools import best\n"),
        "tools.py": f"def best(board):\n    {FIRST_MOVE}\n",
    },
    "solution.py only imports the player": {"solution.py": "from ia.mine import SmartPlayer\n", "ia/mine.py": PLAYER},
    "data of its own": {
        "src/player.py": plays("assert BOOK == 'a1'\n" + FIRST_MOVE, before="from player import Player\nBOOK = open('book.txt').read().strip()\n"),
        "src/book.txt": "a1\n",
    },
    "numpy": {"solution.py": plays("cells = np.argwhere(np.array(board.board) == 0)\nreturn cells[0]", before="import numpy as np\nfrom player import Player\n")},
    "threads": {
        "solution.py": plays(
            f"with ThreadPoolExecutor(2) as pool:\n    assert list(pool.map(abs, [-1, 1])) == [1, 1]\n{FIRST_MOVE}",
            before="from concurrent.futures import ThreadPoolExecutor\nfrom player import Player\n",
        )
    },
    "a compiled file that says something else is not used": {
        "solution.py": PLAYER,
        f"__pycache__/solution.{sys.implementation.cache_tag}.pyc": b"\0" * 16 + b"not even marshal",
    },
}  # fmt: skip

HABITS: dict[str, Files] = {
    "annotations with names that are not defined": {
        "solution.py": "import tree\n"
        + plays(FIRST_MOVE, takes="board: Tablero", build="    root: Nodo = tree.Node(1, 2)\n"),
        "tree.py": "from dataclasses import dataclass\nfrom typing import ClassVar, NamedTuple\n\n"
        "class Cell(NamedTuple):\n    row: int\n    up: Later = None\n\n"
        "@dataclass\nclass Node:\n    count: ClassVar[int] = 7\n    wins: Later\n    visits: int\n"
        "    def child(self) -> Missing[Node]: ...\n\n"
        "assert Cell(3) == (3, None) and Node(1, 2) == Node(1, 2)\n\nclass Later: ...\n",
    },
    "takes a stone back with player 0": {
        "solution.py": plays(
            "twin = board.clone()\nfirst = board.get_possible_moves()[0]\n"
            "assert twin.place_piece(*first, self.player_id) is True and twin.place_piece(*first, 0) is False\n"
            "assert twin.check_connection(0) is False\n" + FIRST_MOVE
        )
    },
    "prints": {"solution.py": plays(f"print('pensando…')\nimport sys\nprint('ay', file=sys.stderr)\n{FIRST_MOVE}")},
    "changes its board": {
        "solution.py": plays("move = board.get_possible_moves()[0]\nboard.place_piece(*move, self.player_id)\nboard.board[0][0] = 2\nreturn move")
    },
    "returns a list": {"solution.py": plays("return list(board.get_possible_moves()[0])")},
    "exits in main": {"solution.py": PLAYER + "\nif __name__ == '__main__':\n    raise SystemExit\n"},
    "a folder that cannot be written": {os.fsdecode(b"Pe\xf1a/solution.py"): PLAYER},
    "CRLF and BOM": {"solution.py": b"\xef\xbb\xbf" + PLAYER.replace("\n", "\r\n").encode()},
    "latin-1 with a cookie": {"solution.py": ("# -*- coding: latin-1 -*-\n# Peña\n" + PLAYER).encode("latin-1")},
}  # fmt: skip

EDITION_2022: dict[str, Files] = {
    "2022: by hand": {
        "mi_player.py": """
from game_logic import *

def play(game, player):
    assert game.current() == player and player in PLAYER and game.winner() == EMPTY
    free = [(x, y) for x in range(game.size) for y in range(game.size) if game[x, y] == EMPTY]
    assert game.clone_play(*free[0])[free[0]] == player and game[free[0]] == EMPTY
    assert all(game.checkInside(*cell) for cell in game.neighbour(*free[0]))
    try:
        game[99, 99]
    except GameError:
        return free[0]
"""
    },
    "2022: with the course's minimax": {
        "mi_player.py": """
from minimax import minimax
from tools import oo
from game_logic import EMPTY

def play(game, player):
    return minimax(game, player, 2, lambda game, player: 0, moves)

def moves(game, player):
    for x in range(game.size):
        for y in range(game.size):
            if game[x, y] == EMPTY:
                yield (x, y)
"""
    },
}

PATTERNS: dict[str, Files] = {
    **PLACES, **IMPORTS, **OWN_COPIES, **MODULES, **HABITS, **EDITION_2022,
}  # fmt: skip
