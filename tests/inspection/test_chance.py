"""Which players can be said to leave nothing to chance, by their code alone."""

from pathlib import Path

import pytest

from grader.inspection.chance import Chance, chance
from grader.inspection.entry import find_entry

EXAMPLES = Path(__file__).parents[2] / "submissions"

PLAYER = """
from player import Player
{above}
class SmartPlayer(Player):
    def __init__(self, player_id{parameter}):
        super().__init__(player_id)

    def play(self, board):
        moves = board.get_possible_moves()
        {line}
        return moves[0]
"""


def left_to_chance(folder: Path, **files: str) -> Chance:
    """What is said of a submission of these files."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    entry, findings = find_entry(folder)
    assert entry is not None, findings
    return chance(entry)


def certain(folder: Path, **files: str) -> bool:
    return left_to_chance(folder, **files) is Chance.NONE


def player(above: str = "", line: str = "pass", parameter: str = "") -> str:
    return PLAYER.format(above=above, line=line, parameter=parameter)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(player(), id="plain"),
        pytest.param(
            player("from heapq import heappush\nimport math, itertools\nimport collections.abc"), id="modules"
        ),
        pytest.param(player("from board import HexBoard"), id="the course's board"),
        pytest.param(player(line="seen = {move: None for move in moves}; seen | {1: None}"), id="dictionaries"),
        pytest.param(player(line="print(len(moves), sorted(moves))"), id="builtins"),
        pytest.param(player(parameter=", depth=3, time_limit=5"), id="the limit, which is always the same"),
    ],
)
def test_plain_code_leaves_nothing_to_chance(tmp_path, code):
    assert certain(tmp_path, solution=code)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(player("import random"), id="random"),
        pytest.param(player("from numpy import array"), id="numpy"),
        pytest.param(player(line="import time; time.time()"), id="the clock"),
        pytest.param(player("import os"), id="the system"),
        pytest.param(player(parameter=", seed=None"), id="a seed"),
        pytest.param(player(parameter=", *, Semilla=0"), id="una semilla"),
        pytest.param(player(line="moves.sort(key=id)"), id="addresses"),
        pytest.param(player(line="moves.sort(key=lambda move: move.__hash__())"), id="a hash by its method"),
        pytest.param(player(line="moves = list(set(moves))"), id="a set"),
        pytest.param(player(line="moves = list({move for move in moves})"), id="a set of what there is"),
        pytest.param(player(line="moves = list({None, (1, 2)})"), id="a set written out"),
        pytest.param(player(line="moves = list({1: 2}.keys() - {3: 4})"), id="a set of keys"),
        pytest.param(player(line="open('/proc/uptime')"), id="a file"),
        pytest.param(player(line="__import__('random').shuffle(moves)"), id="an import by a call"),
        pytest.param(player(line="(lambda: 0).__globals__"), id="what lies behind a function"),
        pytest.param(player(line="exec('import time')"), id="code in a text"),
        pytest.param(player("import missing"), id="a module that is not there"),
    ],
)
def test_what_may_differ_from_game_to_game_is_noticed(tmp_path, code):
    assert not certain(tmp_path, solution=code)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(player("import random"), id="random"),
        pytest.param(player("from random import choice"), id="a part of it"),
        pytest.param(player("import numpy as np", line="np.random.rand()"), id="numpy's"),
        pytest.param(player("from numpy.random import rand"), id="a part of numpy's"),
        pytest.param(player("from numpy import random"), id="numpy's, by name"),
        pytest.param(player("import os", line="os.urandom(4)"), id="the system's"),
        pytest.param(player("from os import urandom"), id="the system's, by name"),
        pytest.param(player(parameter=", seed=None"), id="a seed"),
    ],
)
def test_random_numbers_are_noticed(tmp_path, code):
    assert left_to_chance(tmp_path, solution=code) is Chance.SOME


def test_random_numbers_are_noticed_although_a_file_beside_is_called_like_their_module(tmp_path):
    assert left_to_chance(tmp_path, solution=player("import random"), random="X = 1\n") is Chance.SOME


@pytest.mark.parametrize(
    "code", [player("import numpy"), player(line="import time; time.time()"), player("import missing")]
)
def test_of_most_code_nothing_is_known(tmp_path, code):
    assert left_to_chance(tmp_path, solution=code) is Chance.UNKNOWN


def test_what_a_file_imports_of_the_submission_counts_and_what_lies_beside_it_does_not(tmp_path):
    taking = player("from values import best")
    assert certain(tmp_path, solution=taking, values="def best(moves):\n    return moves[0]\n", tests="import random\n")
    assert not certain(tmp_path, values="import random\n\ndef best(moves):\n    return random.choice(moves)\n")


def test_a_module_of_the_submission_hides_the_one_that_it_is_called_like(tmp_path):
    assert not certain(tmp_path, solution=player("import heapq"), heapq="import random\n")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("hex_centre", True), ("hex_shortest_path", True), ("hex_random", False), ("desconecta4_minimax", True)],
)
def test_the_examples_are_what_they_seem(name, expected):
    assert certain(EXAMPLES / name) is expected
