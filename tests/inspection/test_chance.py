"""Which players are known to play deterministically, judging by their code alone."""

from pathlib import Path

import pytest

from grader.inspection.chance import Chance, chance
from grader.inspection.entry import choose_entry
from grader.inspection.submission_code import read_code

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


def chance_of(folder: Path, **files: str) -> Chance:
    """Whether a submission with these files plays at random."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    code = read_code(folder)
    entry, findings = choose_entry(code)
    assert entry is not None, findings
    return chance(entry, code.graph)


def is_deterministic(folder: Path, **files: str) -> bool:
    return chance_of(folder, **files) is Chance.NONE


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
def test_plain_code_is_deterministic(tmp_path, code):
    assert is_deterministic(tmp_path, solution=code)


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
        pytest.param(player(line="moves = list({move for move in moves})"), id="a set comprehension"),
        pytest.param(player(line="moves = list({None, (1, 2)})"), id="a set written out"),
        pytest.param(player(line="moves = list({1: 2}.keys() - {3: 4})"), id="a set of keys"),
        pytest.param(player(line="open('/proc/uptime')"), id="a file"),
        pytest.param(player(line="__import__('random').shuffle(moves)"), id="an import by a call"),
        pytest.param(player(line="(lambda: 0).__globals__"), id="the globals of a function"),
        pytest.param(player(line="exec('import time')"), id="code in a string"),
        pytest.param(player("import missing"), id="a missing module"),
    ],
)
def test_code_that_may_differ_from_game_to_game_is_detected(tmp_path, code):
    assert not is_deterministic(tmp_path, solution=code)


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
def test_random_numbers_are_detected(tmp_path, code):
    assert chance_of(tmp_path, solution=code) is Chance.SOME


def test_random_numbers_are_detected_even_if_the_submission_has_a_random_module(tmp_path):
    assert chance_of(tmp_path, solution=player("import random"), random="X = 1\n") is Chance.SOME


@pytest.mark.parametrize(
    "code", [player("import numpy"), player(line="import time; time.time()"), player("import missing")]
)
def test_most_other_code_is_unknown(tmp_path, code):
    assert chance_of(tmp_path, solution=code) is Chance.UNKNOWN


def test_only_imported_files_of_the_submission_count(tmp_path):
    importing = player("from values import best")
    assert is_deterministic(
        tmp_path, solution=importing, values="def best(moves):\n    return moves[0]\n", tests="import random\n"
    )
    assert not is_deterministic(tmp_path, values="import random\n\ndef best(moves):\n    return random.choice(moves)\n")


def test_a_module_of_the_submission_hides_the_standard_module_of_that_name(tmp_path):
    assert not is_deterministic(tmp_path, solution=player("import heapq"), heapq="import random\n")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("hex_centre", True), ("hex_shortest_path", True), ("hex_random", False), ("desconecta4_minimax", True)],
)
def test_the_example_submissions_are_classified_correctly(name, expected):
    assert is_deterministic(EXAMPLES / name) is expected
