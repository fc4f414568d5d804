"""The rule for finding a submission's player, as published in `docs/how-it-works/finding-the-player.md`."""

import pytest

from grader.inspection.entry import find_entry
from tests.intake.folders import PLAYER, make, player

ABSTRACT = """
from abc import ABC, abstractmethod

class Base(ABC):
    @abstractmethod
    def play(self, board):
        return board.get_possible_moves()[0]

class Mine(Base):
    def play(self, board):
        return (0, 0)
"""
STUB_BASE = "class Player:\n    def play(self, board):\n        raise NotImplementedError('¡Implementa este método!')\n"
UNDER_IF = (
    f"import sys\nif sys.version_info >= (3, 8):\n{''.join(f'    {line}' for line in player('Mine').splitlines(True))}"
)
FOR_MAIN = f"{player('Mine')}\nif __name__ == '__main__':\n    class Demo:\n        def play(self, board):\n            return 1\n"
LAMBDA = "class Mine:\n    play = lambda self, board: board.get_possible_moves()[0]\n"
ASSIGNED = "def choose(self, board):\n    return (0, 0)\n\nclass Mine:\n    play: object = choose\n"
TRIED = "try:\n    from player import Player\nexcept ImportError:\n    class Player:\n        def play(self, board):\n            pass\n"
DATACLASS = f"from dataclasses import dataclass\n@dataclass\n{player('Mine')}    player_id: int = 1\n"
INNER = f"class Game:\n{''.join(f'    {line}' for line in player('Inner').splitlines(True))}\n{player('Mine')}"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"solution.py": PLAYER}, "solution.py:SmartPlayer", id="solution at the top"),
        pytest.param({"Ana Núñez/solution.py": PLAYER}, "Ana Núñez/solution.py:SmartPlayer", id="in a named folder"),
        pytest.param({"src/ia/player.py": player("Mine")}, "src/ia/player.py:Mine", id="deep"),
        pytest.param({"AIPlayer.py": player("Mine")}, "AIPlayer.py:Mine", id="any file"),
        pytest.param({"Solution.PY": PLAYER}, "Solution.PY:SmartPlayer", id="capitals"),
        pytest.param({"player.py": STUB_BASE + player("Mine", "Player")}, "player.py:Mine", id="own stub of the base"),
        pytest.param({"player.py": player("Player")}, "player.py:Player", id="the solution is called Player"),
        pytest.param({"p.py": ABSTRACT}, "p.py:Mine", id="abstract base"),
        pytest.param({"p.py": UNDER_IF}, "p.py:Mine", id="under an if"),
        pytest.param({"p.py": FOR_MAIN}, "p.py:Mine", id="not under __main__"),
        pytest.param({"p.py": LAMBDA}, "p.py:Mine", id="play is a lambda"),
        pytest.param({"p.py": ASSIGNED}, "p.py:Mine", id="play is assigned"),
        pytest.param({"p.py": TRIED + player("Mine", "Player")}, "p.py:Mine", id="base in try and except"),
        pytest.param({"p.py": DATACLASS}, "p.py:Mine", id="dataclass"),
        pytest.param({"p.py": INNER}, "p.py:Mine", id="a nested class is not a candidate"),
        pytest.param({"p.py": "class M:\n    async def play(self, board):\n        return (0, 0)\n"}, "p.py:M", id="async"),
        pytest.param(
            {"p.py": "class M:\n    @staticmethod\n    def play(board):\n        return (0, 0)\n"}, "p.py:M", id="static"
        ),
        pytest.param(
            {"base.py": player("Base"), "mine.py": "from base import Base as B\nclass Mine(B):\n    pass\n"},
            "mine.py:Mine",
            id="play inherited from a sibling",
        ),
        pytest.param(
            {"base.py": player("Base"), "mine.py": "import base as b\nclass Mine(b.Base):\n    pass\n"},
            "mine.py:Mine",
            id="play inherited by way of a module",
        ),
        pytest.param(
            {"base.py": player("Base"), "pkg/mine.py": "from base import *\nclass Mine(Base):\n    pass\n"},
            "pkg/mine.py:Mine",
            id="play inherited by way of a star",
        ),
        pytest.param(
            {"solution.py": "from ia.search import SmartPlayer\n", "ia/search.py": PLAYER, "player.py": player("Old")},
            "solution.py:SmartPlayer",
            id="solution.py only imports it",
        ),
        pytest.param(
            {"solution.py": player("Mcts") + player("Minimax") + "SmartPlayer = Minimax\n"},
            "solution.py:SmartPlayer",
            id="SmartPlayer is another name",
        ),
        pytest.param({"mia.py": "def play(game, player):\n    return (0, 0)\n"}, "mia.py:play", id="2022 edition"),
        pytest.param(
            {
                "ia.py": "from parts.game import play\nclass Mine:\n    def play(self, b):\n        return play(self, b)\n",
                "parts/game.py": "def play(self, board):\n    return (0, 0)\n",
            },
            "ia.py:Mine",
            id="a method written outside its class",
        ),
        pytest.param({"._solution.py": b"\0\5\7", "solution.py": PLAYER}, "solution.py:SmartPlayer", id="macOS metadata"),
        pytest.param(
            {"venv/pyvenv.cfg": "", "venv/solution.py": PLAYER, "env/pyvenv.cfg": "", "env/a.py": PLAYER, "b.py": PLAYER},
            "b.py:SmartPlayer",
            id="virtual environments",
        ),
    ],
)  # fmt: skip
def test_a_single_player_is_found_without_findings(tmp_path, files, expected):
    entry, findings = find_entry(make(tmp_path, files))

    assert entry is not None
    assert f"{entry.file.as_posix()}:{entry.name}" == expected
    assert [finding for finding in findings if finding.code != "chosen"] == []


@pytest.mark.parametrize(
    ("files", "expected", "others"),
    [
        pytest.param({"player.py": player("A"), "x/solution.py": PLAYER}, "x/solution.py:SmartPlayer", ["player.py:A"]),
        pytest.param({"main.py": player("A"), "src/player.py": player("B")}, "src/player.py:B", ["main.py:A"]),
        pytest.param({"player.py": player("A") + PLAYER}, "player.py:SmartPlayer", ["player.py:A"]),
        pytest.param(
            {"solution.py": PLAYER, "old/solution.py": PLAYER + "\nold = 1\n"},
            "solution.py:SmartPlayer",
            ["old/solution.py:SmartPlayer"],
            id="two differing copies",
        ),
        pytest.param(
            {"a/solution.py": PLAYER, "b/solution.py": PLAYER},
            "a/solution.py:SmartPlayer",
            ["b/solution.py:SmartPlayer"],
            id="two equal copies at one depth",
        ),
        pytest.param(
            {"solution.py": PLAYER + player("TryPlayer", "SmartPlayer")},
            "solution.py:SmartPlayer",
            ["solution.py:TryPlayer"],
            id="the name that courses ask for, though another derives from it",
        ),
        pytest.param(
            {"solution.py": "from base import SmartPlayer\n" + player("Mine", "SmartPlayer"), "base.py": PLAYER},
            "solution.py:Mine",
            ["base.py:SmartPlayer"],
            id="but not from another file",
        ),
        pytest.param(
            {"player.py": player("RandomPlayer"), "mcts.py": player("MctsPlayer")},
            "mcts.py:MctsPlayer",
            ["player.py:RandomPlayer"],
            id="a stand-in, though in player.py",
        ),
        pytest.param(
            {"hex.py": player("Game", body="return input()") + player("AIPlayer")},
            "hex.py:AIPlayer",
            ["hex.py:Game"],
            id="one that calls input",
        ),
        pytest.param(
            {"main.py": player("HexGame") + player("MyIA", "Player")}, "main.py:MyIA", ["main.py:HexGame"], id="by its base"
        ),
        pytest.param(
            {"player.py": player("Mine"), "tests/solution.py": player("Fake", "Mine") + "from player import Mine\n"},
            "player.py:Mine",
            ["tests/solution.py:Fake"],
            id="tests come last, and deriving there excludes nothing",
        ),
        pytest.param(
            {"random_player.py": "def play(game, player):\n    pass\n", "mia.py": "def play(game, player):\n    pass\n"},
            "mia.py:play",
            ["random_player.py:play"],
            id="2022 edition with its examples",
        ),
    ],
)  # fmt: skip
def test_a_choice_is_made_by_the_rule_and_reported_as_a_finding(tmp_path, files, expected, others):
    entry, findings = find_entry(make(tmp_path, files))

    assert entry is not None
    assert f"{entry.file.as_posix()}:{entry.name}" == expected
    chosen = next(finding for finding in findings if finding.code == "chosen")
    assert chosen.text.startswith(f"Using {expected}; also found ")
    assert all(other in chosen.text for other in others)


def test_a_class_from_which_another_derives_is_not_chosen(tmp_path):
    files = {"solution.py": player("First") + player("Better", "First")}

    entry, findings = find_entry(make(tmp_path, files))

    assert entry is not None and entry.name == "Better"
    assert findings == ()


def test_a_class_with_the_same_name_in_another_copy_excludes_nothing(tmp_path):
    files = {"v1/solution.py": player("Base") + "class SmartPlayer(Base):\n    pass\n", "solution.py": player("Base")}

    entry, _ = find_entry(make(tmp_path, files))

    assert entry is not None and (entry.file.as_posix(), entry.name) == ("v1/solution.py", "SmartPlayer")


@pytest.mark.parametrize(
    ("files", "advice"),
    [
        pytest.param({"player.py": player("MctsPlayer") + player("MinimaxPlayer")}, "to SmartPlayer", id="in one file"),
        pytest.param(
            {"a/solution.py": PLAYER, "b/solution.py": PLAYER + "b = 1\n"},
            "only one",
            id="differing copies at one depth",
        ),
        pytest.param({"a.py": player("APlayer"), "b.py": player("BPlayer")}, "to SmartPlayer", id="in two files"),
    ],
)
def test_no_player_is_chosen_if_two_rank_equally(tmp_path, files, advice):
    entry, findings = find_entry(make(tmp_path, files))

    assert entry is None
    assert findings[0].code == "several_players"
    assert findings[0].text.count(".py:") == 2
    assert advice in findings[0].help


@pytest.mark.parametrize(
    ("files", "text", "line"),
    [
        pytest.param({}, "there is no .py file", None, id="empty folder"),
        pytest.param({"mine.rar": "{}"}, "no .py file, only mine.rar", None, id="an archive"),
        pytest.param({"a.py": "", "mine.rar": "{}"}, "mine.rar was not read", None, id="an archive and a file"),
        pytest.param({"a.py": "x = 1\n", "b.py": ""}, "none of the 2 Python files has a class", None, id="no class"),
        pytest.param({"a.py": "x = 1\n"}, "the Python file has no class", None, id="no class in the only file"),
        pytest.param({"solution.py": "class S:\n    def play(self):\n        return 1\n"}, "no parameter for the", 2),
        pytest.param(
            {"solution.py": STUB_BASE + "class S:\n    def play(self, b):\n        pass\n"}, "not implemented", 5
        ),
        pytest.param({"s.py": "class S:\n    def play(self, b):\n        return None\n"}, "is not implemented", 2),
    ],
)
def test_a_missing_player_is_explained_as_precisely_as_possible(tmp_path, files, text, line):
    entry, findings = find_entry(make(tmp_path, files))

    assert entry is None
    assert len(findings) == 1
    assert findings[0].code == "no_player" and text in findings[0].text and findings[0].line == line
    assert findings[0].help.endswith(".")


@pytest.mark.parametrize(
    ("files", "plays"),
    [
        pytest.param({"solution.py": "def (", "player.py": player()}, None, id="solution.py is broken"),
        pytest.param({"solution.py": "def (", "old/solution.py": PLAYER}, None, id="the shallow copy is broken"),
        pytest.param({"solution.py": PLAYER, "old/solution.py": "def ("}, "solution.py", id="the deep copy is broken"),
        pytest.param({"player.py": player(), "draw.py": "def ("}, "player.py", id="another file is broken"),
        pytest.param({"tests/solution.py": "def (", "ia.py": player()}, "ia.py", id="a test is broken"),
    ],
)
def test_no_other_player_is_used_if_the_file_that_comes_first_is_broken(tmp_path, files, plays):
    entry, findings = find_entry(make(tmp_path, files))

    assert (entry.file.as_posix() if entry else None) == plays
    assert findings[0].code == "syntax_error" and findings[0].line == 1


def test_a_single_file_is_read_with_its_imports_only(tmp_path):
    files = {
        "mine.py": "from heuristics import value\nfrom board import HexBoard\n" + player("Mine"),
        "heuristics.py": "import subprocess\ndef value(board):\n    return subprocess.run(['gcc'])\n",
        "theirs.py": PLAYER,
        "broken.py": "def (",
        "more/requirements.txt": "no-such-package-at-all",
    }
    root = make(tmp_path, files)

    entry, findings = find_entry(root / "mine.py")

    assert entry is not None
    assert (entry.file.as_posix(), entry.name, entry.root) == ("mine.py", "Mine", root.resolve())
    assert entry.course_modules == ("board",)
    assert findings == ()


def test_a_missing_path_is_a_finding(tmp_path):
    entry, findings = find_entry(tmp_path / "solution.py")

    assert entry is None
    assert "No such file" in findings[0].text


@pytest.mark.parametrize(
    ("files", "game"),
    [
        ({"a.py": "from board import HexBoard\n" + player()}, "hex"),
        ({"a.py": "class HexBoard:\n    pass\n" + player()}, "hex"),
        ({"a.py": "def play(game, player):\n    return (0, 0)\n"}, "hex"),
        ({"a.py": "from environment import Environment\n" + player()}, "desconecta4"),
        ({"a.py": player()}, "hex"),
        ({"a.py": player(body="return max(board.board[0])")}, "hex"),
        ({"a.py": player(body="return board.possible_actions()[0]")}, "desconecta4"),
        ({"a.py": player(body="return (0, 0)").replace("board", "env")}, "desconecta4"),
        ({"a.py": player().replace("board", "env")}, "hex"),
        ({"a.py": player(body="return (0, 0)")}, None),
    ],
)
def test_the_game_is_detected_from_what_the_player_uses(tmp_path, files, game):
    entry, _ = find_entry(make(tmp_path, files))

    assert entry is not None and entry.game == game


HELPER = "class Node:\n    def play(self, move):\n        return Node()\n\n"
NO_PLAY = "class SmartPlayer:\n    def get_move(self, board):\n        return (0, 0)\n"


@pytest.mark.parametrize(
    ("files", "line"),
    [
        pytest.param({"solution.py": HELPER + NO_PLAY}, 5, id="a node that plays a move"),
        pytest.param({"solution.py": player("Search") + NO_PLAY}, 4, id="another class in the file"),
        pytest.param({"solution.py": player("Search") + NO_PLAY.replace("Smart", "My").replace(":", "(Player):", 1)}, 4),
        pytest.param({"solution.py": NO_PLAY, "search.py": player("Search")}, 1, id="another file"),
        pytest.param({"solution.py": STUB_BASE + NO_PLAY.replace(":", "(Player):", 1)}, 4, id="only the stub of its base"),
    ],
)  # fmt: skip
def test_no_other_player_is_used_if_the_intended_one_has_no_play(tmp_path, files, line):
    for entry, findings in (find_entry(root := make(tmp_path, files)), find_entry(root / "solution.py")):
        assert entry is None
        assert (findings[0].code, findings[0].file, findings[0].line) == ("no_player", "solution.py", line)
        assert findings[0].text.endswith("Player has no play() method.")


@pytest.mark.parametrize("parameters", ["move", "action", "cell", "pos", "row, col", "x, y"])
def test_a_play_that_takes_a_move_does_not_belong_to_a_player(tmp_path, parameters):
    helper = player("Board").replace("self, board", f"self, {parameters}")

    entry, findings = find_entry(make(tmp_path, {"ia.py": helper + player("Mine")}))

    assert entry is not None and entry.name == "Mine" and findings == ()


@pytest.mark.parametrize(
    "text", ["import src.board", "import src.board as sb", "from src import board", "from src.board import HexBoard"]
)
def test_a_course_module_in_a_folder_that_was_not_submitted_comes_from_the_course(tmp_path, text):
    entry, _ = find_entry(make(tmp_path, {"solution.py": f"{text}\n{player()}"}))

    assert entry is not None and entry.course_modules == ("src.board",)


def test_a_submitted_module_with_the_name_of_a_course_module_is_its_own(tmp_path):
    files = {
        "solution.py": f"import src.board\nfrom src import player\n{player()}",
        "src/board.py": "",
        "src/player.py": "",
    }

    entry, _ = find_entry(make(tmp_path, files))

    assert entry is not None and entry.course_modules == ()
