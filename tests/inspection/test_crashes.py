"""How real submissions fail: each fault is one clear sentence with the line in the student's own file."""

import sys

import pytest

from grader.records import Ending, Fault
from grader.sandbox.isolation import Level
from grader.sandbox.limits import TimeLimits
from grader.sandbox.machine import best_level
from tests.inspection.matches import play_random
from tests.intake.folders import PLAYER, Files, plays

PYTHON = "Python {}.{}".format(*sys.version_info)
PROCESSES = "Players cannot start processes or compilers"
needs_sandbox = pytest.mark.skipif(
    best_level() < Level.GOOD, reason="this machine cannot keep a player from starting processes"
)


def fault_of(tmp_path, files: Files, **more) -> Fault:
    record = play_random(tmp_path, files, **more)
    assert record.fault is not None, "the player did not fail"
    assert (record.at_fault, record.winner) == (0, 1)
    assert "\n" not in record.fault.text and "\n" not in record.fault.help
    return record.fault


@pytest.mark.parametrize(
    ("body", "text", "help_", "line"),
    [
        pytest.param("return board.get_neighbours(0, 0)", "has no attribute 'get_neighbours'", "HexBoard has no 'get_neighbours': use only the members that the assignment lists.", 6, id="a method that the board lacks"),
        pytest.param("return board.get_empty_cells()[0]", "has no attribute 'get_empty_cells'", "HexBoard has no 'get_empty_cells': use only", 6, id="a method that only some boards have"),
        pytest.param("def value(a, b):\n    return 0\nreturn value(1)", "missing 1 required positional argument: 'b'", "is the number of arguments wrong", 8, id="a wrong argument count"),
        pytest.param("best = None\nreturn 3 - best", "unsupported operand type(s) for -: 'int' and 'NoneType'", "is one of them None", 7, id="an int minus None"),
        pytest.param("raise NotImplementedError('falta')\nreturn 1", "NotImplementedError in solution.py:6: falta", "not implemented yet", 6, id="a method left unimplemented"),
        pytest.param("return mejor_jugada", "name 'mejor_jugada' is not defined", "never defined or imported", 6, id="an undefined name"),
        pytest.param("best = None\nreturn best.move", "'NoneType' object has no attribute 'move'", "A value is None here and has no 'move'", 7, id="an attribute of None"),
        pytest.param("return self.play(board)", "RecursionError", "recursion", 6, id="endless recursion"),
        pytest.param("return [][0]", "list index out of range", "", 6, id="an index out of range"),
        pytest.param("return open('gone.txt')", "gone.txt", "is in the submitted folder", 6, id="a file that is not there"),
        pytest.param("return open('out.txt', 'w')", "out.txt", "cannot write files", 6, id="a file to write", marks=needs_sandbox),
        pytest.param("import intbitset_xyz", "No module named 'intbitset_xyz'", "include the file, or do not use the package", 6, id="a missing package in play"),
        pytest.param("input('¿fila?')", "EOFError", "Do not call input()", 6, id="asking a person"),
    ],
)  # fmt: skip
def test_an_exception_in_play_is_reported_with_its_line(tmp_path, body, text, help_, line):
    fault = fault_of(tmp_path, {"solution.py": plays(body)})

    assert fault.ending is Ending.CRASH
    assert text in fault.text and help_ in fault.help
    assert fault.where == f"solution.py:{line}"
    assert f"solution.py:{line} in " in fault.trace and "grader" not in fault.trace


@pytest.mark.parametrize(
    ("files", "text", "help_", "where"),
    [
        pytest.param({"solution.py": "from base import AbstractPlayer\n" + PLAYER}, "cannot import name 'AbstractPlayer' from 'base'", "The course's module base has no 'AbstractPlayer', only Player, HexBoard", "solution.py:1", id="a base class that the course never had"),
        pytest.param({"solution.py": "from numpy import math\n" + PLAYER}, "cannot import name 'math' from 'numpy'", "The installed version of numpy has no 'math', even if other versions do: write `import math` instead.", "solution.py:1", id="a name that a newer library lacks"),
        pytest.param({"solution.py": "from collections import Mapping\n" + PLAYER}, "cannot import name 'Mapping'", f"In {PYTHON}, collections has no 'Mapping'. Check the spelling. If it works at home, it needs a newer or an older Python", "solution.py:1", id="a name that a newer Python lacks"),
        pytest.param({"solution.py": "from typing import frozen\n" + PLAYER}, "cannot import name 'frozen'", f"In {PYTHON}, typing has no 'frozen'. Check the spelling. If it works at home, it needs a newer or", "solution.py:1", id="a name that an older Python lacks"),
        pytest.param({"solution.py": "from time import clock\n" + PLAYER}, "cannot import name 'clock'", f"In {PYTHON}, time has no 'clock'. Check the spelling", "solution.py:1", id="a name that a module built into Python lacks"),
        pytest.param({"solution.py": "from collections import heapq\n" + PLAYER}, "cannot import name 'heapq'", f"In {PYTHON}, collections has no 'heapq': write `import heapq` instead.", "solution.py:1", id="a module taken for a name"),
        pytest.param({"solution.py": "from HexBoard import AbstractPlayer\n" + PLAYER}, "cannot import name 'AbstractPlayer' from 'HexBoard'", "The course's module HexBoard has no 'AbstractPlayer', only Player, HexBoard", "solution.py:1", id="a name that a module called like a class lacks"),
        pytest.param({"solution.py": "import numpy\nX = numpy.float_\n" + PLAYER}, "was removed in the NumPy 2.0", "Newer versions of this library removed the name", "solution.py:2", id="a member that a newer library lacks"),
        pytest.param({"solution.py": "raise ImportError(\"libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by fast.so)\")\n" + PLAYER}, "GLIBCXX_3.4.32", "was built for another system", "solution.py:1", id="a library built elsewhere"),
        pytest.param({"solution.py": plays(before="import tempfile\nfrom player import Player\nwith tempfile.TemporaryDirectory() as t: pass\n")}, "No usable temporary directory", "cannot write files, not even temporary ones, or start programs", "solution.py:3", id="a temporary folder", marks=needs_sandbox),
        pytest.param({"solution.py": "get_ipython().run_line_magic('time', '')\n" + PLAYER}, "name 'get_ipython' is not defined", "This line comes from a notebook", "solution.py:1", id="a line of a notebook"),
        pytest.param({"solution.py": "import scipy_xyz\n" + PLAYER}, "No module named 'scipy_xyz'", "The module 'scipy_xyz' is neither part of the submission nor installed", "solution.py:1", id="a missing package"),
        pytest.param({"solution.py": "import near\n" + PLAYER, "near.py": "\nimport scipy_xyz\n"}, "No module named 'scipy_xyz'", "'scipy_xyz'", "near.py:2", id="a missing package of a sibling"),
        pytest.param({"solution.py": "import near\n" + PLAYER, "near.py": "\ndef f(:\n"}, "SyntaxError in near.py:2", "Fix this line.", "near.py:2", id="a sibling that cannot be read"),
        pytest.param({"solution.py": "from near import value\n" + PLAYER, "near.py": ""}, "cannot import name 'value' from 'near'", "Check that the module defines this name", "solution.py:1", id="a name that a sibling lacks"),
        pytest.param({"solution.py": plays(build="    def __init__(self, player_id):\n        super().__init__()\n")}, "missing 1 required positional argument: 'player_id'", "is the number of arguments wrong", "solution.py:5", id="the base is built without its argument"),
        pytest.param({"src/player.py": plays(before="raise ValueError('¡ay!')\n")}, "While loading, the player raised ValueError in src/player.py:1: ¡ay!", "", "src/player.py:1", id="raises on import"),
        pytest.param({"solution.py": plays(build="    def __init__(self, player_id, model, weights):\n        pass\n")}, "SmartPlayer.__init__() requires 'model', which the grader does not pass", "__init__(self, player_id)", None, id="a constructor that wants something else"),
        pytest.param({"solution.py": plays(takes="board, history, model")}, "SmartPlayer.play() requires 'model'", "play(self, board)", None, id="a play that wants something else"),
        pytest.param({"solution.py": plays("pass")}, "The play() method of SmartPlayer is not implemented", "choose a move", "solution.py:5", id="a stub left unimplemented"),
        pytest.param({"solution.py": "class SmartPlayer:\n    def play(self, board)\n        return 1\n"}, "expected ':'", "Fix this line", "solution.py:2", id="a syntax error"),
        pytest.param({"notes.txt": "hola"}, "No player found", "solution.py", None, id="no player"),
    ],
)  # fmt: skip
def test_a_player_that_cannot_be_loaded_is_reported_with_the_reason(tmp_path, files, text, help_, where):
    fault = fault_of(tmp_path, files)

    assert fault.ending is Ending.LOAD_ERROR
    assert text in fault.text and help_ in fault.help
    assert fault.where == where


def test_a_function_that_expects_a_board_is_told_what_it_gets_instead(tmp_path):
    fault = fault_of(tmp_path, {"solution.py": "def play(board, player):\n    return board.get_possible_moves()[0]\n"})

    assert fault.ending is Ending.CRASH and fault.where == "solution.py:2"
    assert "the game object of the 2022 edition, which has no 'get_possible_moves'" in fault.help
    assert "write a class with play(self, board)" in fault.help


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        pytest.param("return None", "None", id="None"),
        pytest.param("return (0, 0, self.player_id)", "(0, 0, 1)", id="a 3-tuple"),
        pytest.param(
            "return (1, 1) if len(board.get_possible_moves()) > 7 else (9, 9)", "(9, 9)", id="outside the board"
        ),
        pytest.param("return 'a1'", "'a1'", id="a text"),
        pytest.param("return (0.0, 1.0)", "(0.0, 1.0)", id="floats"),
        pytest.param("return (0, 0)", "(0, 0) = a1", id="an occupied cell"),
    ],
)
def test_an_answer_that_is_not_a_move_is_shown(tmp_path, body, answer):
    fault = fault_of(tmp_path, {"solution.py": plays(f"x = 1\n{body}")})

    assert fault.ending is Ending.ILLEGAL_MOVE
    assert f"The player returned {answer}, which is" in fault.text
    special = {"None": "without returning a move", "(0.0, 1.0)": "whole numbers", "(0, 0, 1)": "without a third number"}
    assert special.get(answer, "Always return one of the legal moves") in fault.help


def test_a_player_that_is_too_slow_is_told_the_limit(tmp_path):
    fault = fault_of(tmp_path, {"solution.py": plays("while True: pass")}, time=TimeLimits(move=0.2, load=5.0))

    assert fault.ending is Ending.TIMEOUT
    assert "exceeded the limit of 0.2 s per move" in fault.text and "before the limit" in fault.help


STARTS = {
    "a pool": ("from multiprocessing import Pool\n", "        self.pool = Pool(2)\n"),
    "a process": ("import multiprocessing as mp\n", "        p = mp.Process(target=print)\n        p.start()\n"),
    "an executor": (
        "from concurrent.futures import ProcessPoolExecutor\n",
        "        self.pool = ProcessPoolExecutor(2)\n        self.pool.submit(abs, 1).result()\n",
    ),
    "a compiler": ("import subprocess\n", "        subprocess.run(['gcc', '-O2', 'fast.c'], check=True)\n"),
    "a shell": (
        "import os\n",
        "        if os.system('gcc fast.c') != 0:\n            raise OSError('the process failed')\n",
    ),
}


@needs_sandbox
@pytest.mark.parametrize("what", STARTS)
def test_processes_started_in_the_constructor_are_a_finding_and_a_load_error(tmp_path, what):
    before, lines = STARTS[what]
    build = f"    def __init__(self, player_id):\n{lines}"

    record = play_random(tmp_path, {"solution.py": plays(before=f"{before}from player import Player\n", build=build)})

    assert record.fault is not None and record.fault.ending is Ending.LOAD_ERROR
    assert PROCESSES in record.fault.help
    assert str(record.fault.where).startswith("solution.py:")
    assert ("processes", "solution.py") in [(finding.code, finding.file) for finding in record.seats[0].findings]


@needs_sandbox
def test_a_player_that_does_not_need_its_pool_keeps_playing(tmp_path):
    build = "    def __init__(self, player_id):\n        try:\n            self.pool = Pool(2)\n        except OSError:\n            self.pool = None\n"

    record = play_random(
        tmp_path,
        {"solution.py": plays(before="from multiprocessing import Pool\nfrom player import Player\n", build=build)},
    )

    assert record.ending == "connected"
    assert "processes" in [finding.code for finding in record.seats[0].findings]
