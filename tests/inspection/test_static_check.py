"""The static check reports what a student should know, with the line, and runs nothing."""

from pathlib import Path

import pytest

from grader.inspection.entry import find_entry
from grader.inspection.static_check import LISTED, check
from grader.inspection.submission_code import read_code
from tests.intake.folders import PLAYER, make, player


def found(tmp_path, text, **options):
    """The codes and lines of the findings about a submission of one file; a player that uses `f` is added below the text."""
    folder = make(
        tmp_path, {"solution.py": text + "\n\n" + player(body="f()\n        return board.get_possible_moves()[0]")}
    )
    entry, _ = find_entry(folder)
    assert entry is not None
    return [(finding.code, finding.line) for finding in check(read_code(folder), entry, **options)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("import socket", "network"),
        ("from urllib.request import urlopen", "network"),
        ("import urllib.request as net", "network"),
        ("from urllib import request", "network"),
        ("import http.client", "network"),
        ("def f():\n  import socket", "network"),
        ("socket = __import__('socket')", "network"),
        ("import subprocess", "processes"),
        ("from multiprocessing import Pool", "processes"),
        ("import os\ndef f(): os.system('ls')", "processes"),
        ("import os as o\ndef f(): o.fork()", "processes"),
        ("from os import system as s", "processes"),
        ("from os import *\ndef f(): system('ls')", "processes"),
        ("from concurrent.futures import ProcessPoolExecutor", "processes"),
        ("import concurrent.futures\ndef f(): concurrent.futures.ProcessPoolExecutor()", "processes"),
        ("import ctypes", "ctypes"),
        ("from ctypes import CDLL", "ctypes"),
        ("def f(): open('x', 'w')", "files"),
        ("def f(): open('x', mode='ab')", "files"),
        ("def f(): open('x', 'r+')", "files"),
        ("def f(how): open('x', how)", "files"),
        ("def f(*how): open(*how)", "files"),
        ("import gzip\ndef f(): gzip.open('x', 'wb')", "files"),
        ("from zipfile import ZipFile\ndef f(): ZipFile('x', 'w')", "files"),
        ("from pathlib import Path\ndef f(): Path('x').write_text('')", "files"),
        ("import os\ndef f(): os.remove('x')", "files"),
        ("import numpy as np\ndef f(): np.save('x', 1)", "files"),
        ("import shutil", "files"),
        ("def f(): input()", "input"),
        ("import sys\ndef f(): sys.stdin.readline()", "input"),
        ("def f(): eval('1')", "eval"),
        ("def f(): exec('1')", "eval"),
        ("import importlib\ndef f(x): importlib.import_module(x)", "eval"),
        ("while True: pass", "import_time"),
        ("print('hello')", "import_time"),
        ("try:\n  x = sum([])\nfinally:\n  for i in []: print(i)", "import_time"),
        ("def f(): pass\nf()", "import_time"),
        ("if __name__ == 'x':\n  pass\nelse:\n  print()", "import_time"),
        ("import intbitset_that_is_nowhere", "missing_import"),
        ("import reference_players", "missing_import"),
    ],
)
def test_suspicious_code_is_reported(tmp_path, text, code):
    findings = found(tmp_path, text)

    assert code in [reported for reported, _ in findings]
    assert all(line is not None and line <= text.count("\n") + 1 for _, line in findings)


@pytest.mark.parametrize(
    "text",
    [
        "import math, random, heapq, time, copy\nfrom collections import deque\nINF = float('inf')\nrandom.seed(1)",
        "from urllib.parse import quote",
        "import os\nHERE = os.path.dirname(__file__)",
        "from concurrent.futures import ThreadPoolExecutor",
        "import re\nWORD = re.compile('a')",
        "def open(x): return x\nopened = lambda: open(1)",
        "class Stack:\n  def eval(self): return 1\n  def f(self): return self.eval()",
        "try:\n  import numba_that_is_nowhere\nexcept ImportError:\n  numba_that_is_nowhere = None",
        "from board import HexBoard\nfrom player import Player\nimport environment",
        "import numpy as np\nTABLE = np.zeros((11, 11))",
        "import sys\nsys.setrecursionlimit(10000)\nsys.path.append('.')",
        "def main():\n  print(1)\nif __name__ == '__main__':\n  main()\n  input()".replace("\n  input()", ""),
        '"""A docstring."""\nx: int = 1',
        "def f(): pass\nTABLE = [f() for _ in range(3)]\nBY_CELL = {}\nfor r in range(11):\n  BY_CELL[r] = f()\n  TABLE.append(r)",
        "import subprocess\ndef show():\n  subprocess.run(['clear'])\n  input()\nif __name__ == '__main__':\n  show()",
        "class HumanPlayer:\n  def __init__(self, player_id): self.name = input()\n  def play(self, board): return self.ask()\n  def ask(self): return eval(input())",
        "class Gui:\n  def run(self): exec(input())\ndef f(gui: Gui): return [gui for gui in ()]",
        "from __future__ import annotations",
        "def f():\n  with open(__file__, 'r', encoding='utf-8') as file: return file.read()",
        "import gzip, json\nfrom zipfile import ZipFile\ndef f(): return gzip.open('x'), ZipFile('x'), json.load(open('x', 'rb'))",
        "from pathlib import Path\ndef f(): return Path('x').read_text()",
        "import os, glob\nimport numpy as np\ndef f(): return os.listdir('.'), glob.glob('*'), np.load('x')",
    ],
)
def test_ordinary_code_is_not_reported(tmp_path, text):
    assert found(tmp_path, text) == []


def test_the_line_is_where_it_is_used(tmp_path):
    assert found(tmp_path, "import os\n\ndef f():\n  os.system('ls')") == [("processes", 4)]


@pytest.mark.parametrize(
    ("text", "forbidden", "lines"),
    [
        ("import numpy as np", ["numpy"], [1]),
        ("import numpy.linalg", ["numpy"], [1]),
        ("from numpy import array", ["numpy"], [1]),
        ("import numpyish", ["numpy"], []),
        ("import os\ndef f(): os.getcwd()", ["os.getcwd"], [2]),
        ("import random\n\nimport heapq", ["heapq", "random"], [1, 3]),
    ],
)
def test_forbidden_imports_are_reported(tmp_path, text, forbidden, lines):
    findings = found(tmp_path, text, forbidden_imports=forbidden)

    assert [line for code, line in findings if code == "forbidden_import"] == lines


def test_the_first_findings_of_each_code_are_listed_and_the_rest_counted(tmp_path):
    folder = make(tmp_path, {"solution.py": "def f():\n" + "  input()\n" * 20 + player(body="return f()")})
    entry, _ = find_entry(folder)

    findings = check(read_code(folder), entry)

    assert [(finding.code, finding.line) for finding in findings] == [("input", line) for line in (2, 3, 4)][:LISTED]
    assert findings[-1].text.endswith("And 17 more like this.")
    assert "more" not in findings[0].text


def test_only_files_that_the_entry_imports_are_checked(tmp_path):
    folder = make(
        tmp_path,
        {
            "solution.py": "from ai.moves import best\n" + PLAYER,
            "ai/moves.py": "import socket\nbest = 1",
            "scripts/upload.py": "import requests_that_is_nowhere\ninput()",
        },
    )
    entry, _ = find_entry(folder)

    assert [(finding.code, finding.file, finding.line) for finding in check(read_code(folder), entry)] == [
        ("network", "ai/moves.py", 1)
    ]


def test_without_an_entry_all_files_are_checked_and_a_missing_play_is_reported(tmp_path):
    folder = make(
        tmp_path,
        {
            "solution.py": "from player import Player\n\nclass SmartPlayer(Player):\n    def move(self, board): ...\n",
            "other.py": "import socket",
            "broken.py": "def (",
        },
    )
    entry, _ = find_entry(folder)

    assert entry is None
    assert [(finding.code, finding.file, finding.line) for finding in check(read_code(folder), None)] == [
        ("network", "other.py", 1),
        ("missing_play", "solution.py", 3),
    ]


def test_submitted_modules_and_those_of_the_course_are_not_missing(tmp_path):
    text = "import moves\nimport ai.deep\nfrom src.Entities.Player import Player as P\nimport given\nimport broken\nimport fast\n"
    folder = make(
        tmp_path,
        {
            "solution.py": text + player(),
            "moves.py": "",
            "ai/deep.py": "",
            "broken.py": "def (",
            "fast.cpython-311.so": b"",
        },
    )
    entry, _ = find_entry(folder)

    assert [finding.text for finding in check(read_code(folder), entry, course_modules=["given"])] == []


def test_no_student_code_is_run(tmp_path, monkeypatch):
    mark = tmp_path / "ran"
    text = f"open({str(mark)!r}, 'w')\n"
    folder = make(
        tmp_path, {"solution.py": "import helper\n" + text + player(), "helper.py": text, "__init__.py": text}
    )
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    entry, _ = find_entry(folder)

    findings = check(read_code(folder), entry)

    assert not mark.exists()
    assert {finding.code for finding in findings} == {"files", "import_time"}


def test_a_name_with_very_many_parts_takes_no_time(tmp_path):
    folder = make(tmp_path, {"solution.py": player(), "ai.py": "x = " + "a" + ".a" * 900})

    assert check(read_code(folder), None) == ()


def test_every_finding_has_a_sentence_and_advice(tmp_path):
    folder = make(
        tmp_path,
        {"solution.py": "import socket, ctypes, nowhere_at_all\ninput()\neval(open('x'))\nimport subprocess\n"},
    )

    for finding in check(read_code(folder), None, forbidden_imports=["socket"]):
        assert finding.file == "solution.py" and finding.line
        assert finding.text.endswith(".") and finding.help.endswith((".", ":"))


def test_a_symlink_to_the_folder_means_the_same_folder(tmp_path):
    folder = make(tmp_path, {"solution.py": "import socket\n" + player(), "extra.py": "import ctypes"})
    entry, _ = find_entry(folder)
    link = Path(tmp_path, "link")
    link.symlink_to(folder)

    assert [finding.code for finding in check(read_code(link), entry)] == ["network"]


HUMAN = "class Human:\n  def __init__(self, player_id): self.player_id = player_id\n  def ask(self): return input()\n"


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        pytest.param("class SmartPlayer(Human):\n  def play(self, board): return 1", False, id="never called"),
        pytest.param("class SmartPlayer(Human):\n  def play(self, board): return self.ask()", True, id="inherited"),
        pytest.param(
            "class SmartPlayer(Human):\n  def play(self, board): return self.ask()\n  def ask(self): return 1",
            False,
            id="overridden",
        ),
        pytest.param(
            "class SmartPlayer(Human):\n  def play(self, board): return self.ask()\n  def ask(self): return super().ask()",
            True,
            id="overridden, but called",
        ),
        pytest.param(
            "class SmartPlayer:\n  def play(self, board): return getattr(Human(1), 'ask')()", True, id="by its name"
        ),
        pytest.param(
            "def deep(): return Human(1).ask()\nclass SmartPlayer:\n  def play(self, board):\n"
            "    def inner(): return deep()\n    return inner()",
            True,
            id="through two functions",
        ),
    ],
)
def test_code_is_reported_only_if_a_move_can_reach_it(tmp_path, text, reached):
    folder = make(tmp_path, {"solution.py": "from human import Human\n" + text, "human.py": HUMAN})
    entry, _ = find_entry(folder)
    assert entry is not None and entry.name == "SmartPlayer"

    findings = check(read_code(folder), entry)

    assert [(finding.code, finding.file, finding.line) for finding in findings] == [("input", "human.py", 3)] * reached
