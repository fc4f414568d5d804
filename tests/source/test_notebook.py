"""Of a notebook, its definitions are used and what these need; magics and runs are left out, and lines keep their numbers."""

from pathlib import Path

import pytest

from grader.source.facts import Source, Unreadable
from grader.source.notebook import MAX_NOTEBOOK, CodeCell, code_cells
from grader.source.notebook_code import needed_code
from grader.source.reading import parse_source, read_source
from tests.intake.notebooks import notebook

CLASS = "class SmartPlayer:\n    def play(self, board):\n        return {}\n"


def kept(*cells: str) -> list[str]:
    """The lines of these cells that are used."""
    return [line for line in needed_code([*map(CodeCell, range(1, 9), cells)]).text.split("\n") if line]


def left_out(*cells: str) -> list[tuple[int, int, int]]:
    """The cell, the first and the last line of each part that is mentioned as left out."""
    return [(part.cell, part.first, part.last) for part in needed_code([*map(CodeCell, range(1, 9), cells)]).left_out]


@pytest.mark.parametrize(
    "line",
    [
        "%matplotlib inline",
        "!pip install numpy",
        "!echo 'it (",
        "pip install numpy",
        "SmartPlayer?",
        "?SmartPlayer",
        "files = !ls",
        "result = %time 3",
        "%%time",
        "!ls \\\n  -l",
    ],
)
def test_a_magic_is_left_out_and_the_rest_of_its_cell_is_kept(line):
    cell = f"{line}\n{CLASS.format(1)}"
    last = line.count("\n") + 1

    assert kept(cell) == CLASS.format(1).splitlines()
    assert left_out(cell) == [(1, 1, last)]
    assert needed_code([CodeCell(1, cell)]).locate(last + 1) == (1, last + 1)


@pytest.mark.parametrize("magic", ["%%bash", "%%html", "%%timeit", "%%writefile notes.txt", "%%"])
def test_a_cell_in_another_language_is_left_out(magic):
    cell = f"{magic}\nclass Other: pass\n"

    assert kept(cell, CLASS.format(1)) == CLASS.format(1).splitlines()
    assert left_out(cell, CLASS.format(1)) == [(1, 1, 2)]


@pytest.mark.parametrize("magic", ["%%time", "%%capture out", "%%writefile solution.py"])
def test_the_code_below_some_magics_is_kept(magic):
    assert kept(f"\n{magic}\n{CLASS.format(1)}") == CLASS.format(1).splitlines()


def test_lines_of_texts_and_continued_lines_are_not_magics():
    cell = 'TEXT = """\n%d\n!ls\n"""\nREST = (7\n  % 4)\n%time 3\n' + CLASS.format("TEXT, REST")

    assert left_out(cell) == [(1, 7, 7)]
    assert kept(cell) == [line for line in cell.split("\n") if line and line != "%time 3"]


@pytest.mark.parametrize(
    "run",
    [
        "print(SmartPlayer)",
        "player = SmartPlayer()",
        "for game in range(10):\n    SmartPlayer().play(None)",
        "while True:\n    pass",
        "with open('x') as file:\n    file.read()",
        "winner = match(SmartPlayer(), SmartPlayer())\nprint(winner)",
        "if __name__ == '__main__':\n    match(1, 2)",
        "assert SmartPlayer().play(None)",
        "try:\n    match(1, 2)\nexcept ValueError:\n    print('no')",
        "await match(1, 2)",
    ],
)
def test_what_runs_outside_definitions_is_left_out(run):
    match = "def match(a, b):\n    winner = player = game = a\n    return winner, player, game"

    assert kept(CLASS.format(1), match, run) == [*CLASS.format(1).splitlines(), *match.splitlines()]
    assert left_out(CLASS.format(1), match, run) == [(3, 1, run.count("\n") + 1)]


@pytest.mark.parametrize(
    ("use", "needed"),
    [
        pytest.param("SIDES[0]", "SIDES = [1, 2]", id="a constant"),
        pytest.param("SIDES", "SIDES = make()\ndef make():\n    return 3", id="a constant that a function makes"),
        pytest.param("helper()", "def helper():\n    return SIDES\nSIDES = 3", id="a constant of a function"),
        pytest.param("NEAR", "NEAR = {}\nfor a in range(3):\n    NEAR[a] = a", id="a table that a loop fills"),
        pytest.param("NEAR", "NEAR = []\nfor a in range(3):\n    NEAR.append(a)", id="a list that a loop fills"),
        pytest.param("NEAR", "def fill():\n    global NEAR\n    NEAR = 3\nfill()", id="a name that a call sets"),
        pytest.param("np.zeros(3)", "import numpy as np", id="an import"),
        pytest.param("np", "try:\n    import numpy as np\nexcept ImportError:\n    np = None", id="an optional import"),
        pytest.param("f(1)", "f = lambda a: a + SIDES\nSIDES = 3", id="a constant of a lambda"),
        pytest.param("1", "def more(self):\n    return 2\nSmartPlayer.more = more", id="a method that is added later"),
        pytest.param("1", "Mine = SmartPlayer", id="another name of the class"),
        pytest.param("1", "from board import *", id="everything of a module"),
        pytest.param("1", "sys.setrecursionlimit(9000)\nimport sys", id="a setting"),
        pytest.param("1", "def unused(board=SIDES):\n    pass\nSIDES = 3", id="the default of a parameter"),
        pytest.param("1", "a = 3; Other = SmartPlayer", id="statements on one line"),
    ],
)
def test_what_the_player_needs_is_kept_wherever_it_is(use, needed):
    assert kept(needed, CLASS.format(use)) == [*needed.splitlines(), *CLASS.format(use).splitlines()]
    assert left_out(CLASS.format(use), needed) == []


def test_imports_and_values_that_only_runs_use_are_left_out_without_mention():
    runs = "import matplotlib.pyplot as plt\nfrom __future__ import annotations\nrounds = 20\n'a text'\n"

    assert kept(runs, CLASS.format(1)) == CLASS.format(1).splitlines()
    assert left_out(runs, CLASS.format(1)) == []


def test_a_cell_that_is_not_valid_python_is_named_and_the_others_are_used():
    found = needed_code(
        [CodeCell(2, CLASS.format(1)), CodeCell(5, "x = 1\nhello there"), CodeCell(6, "def f():\n    nonlocal y")]
    )

    assert [(broken.cell, broken.line) for broken in found.broken] == [(5, 2), (6, 2)]
    assert [line for line in found.text.split("\n") if line] == CLASS.format(1).splitlines()


def test_cells_are_numbered_with_the_text_cells_between_them():
    cells = code_cells(notebook("a = 1\r\nb = 2", ["c = 3\n", "d = 4"]).encode())

    assert cells == (CodeCell(2, "a = 1\nb = 2"), CodeCell(3, "c = 3\nd = 4"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"cells": 3}',
        b"[" * 100_000,
        b'{"cells": [' + b"1" * 5000 + b"]}",
        b"\xff\xfe\x00",
        "ñ".encode("latin-1"),
    ],
    ids=repr,
)
def test_a_file_that_is_not_a_notebook_is_explained(data):
    found = parse_source(Path("a.ipynb"), data)

    assert isinstance(found, Unreadable) and str(found.reason) == "it is not a valid notebook"


@pytest.mark.parametrize(
    "cells",
    [
        [None, 3, {}, [1, None, "a = 1"], ["x"] * 3, "\0", "'\ud800'"],
        ["(" * 1000],
        ["x = " + "-" * 100_000 + "1"],
        ["lambda: " * 500 + "1"],
        ["%" * 10_000, "?" * 10_000, "!\\\n" * 10_000, "'" * 9999, "(\n" + " " * 99_999 + "x y", '"""' + "\n%a" * 9999],
        ["class A:\n    def play(self, board):\n        return " + "a." * 5000 + "b"],
        ["a = 1; " * 50_000],
    ],
    ids=["odd types", "brackets", "minus", "lambdas", "magics", "a chain", "one line"],
)
def test_odd_cells_are_read_or_explained(cells):
    assert isinstance(parse_source(Path("a.ipynb"), notebook(*cells).encode()), Source | Unreadable)


def test_the_pictures_in_a_notebook_may_be_large_but_not_its_code(tmp_path):
    drawn = notebook(CLASS.format(1)).replace('"outputs": []', f'"outputs": ["{"x" * 5_000_000}"]')
    (tmp_path / "drawn.ipynb").write_text(drawn, encoding="utf-8")
    (tmp_path / "data.ipynb").write_text(notebook(f"x = '{'x' * 2_000_000}'"), encoding="utf-8")
    with (tmp_path / "huge.ipynb").open("wb") as file:
        file.truncate(MAX_NOTEBOOK + 1)

    assert isinstance(read_source(tmp_path, Path("drawn.ipynb")), Source)
    reasons = [read_source(tmp_path, Path(name)) for name in ("data.ipynb", "huge.ipynb")]
    assert [isinstance(bad, Unreadable) and str(bad.reason) for bad in reasons] == [
        "its code is larger than 2 MB",
        "it is larger than 20 MB",
    ]
