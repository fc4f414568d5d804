"""Files that students did not write as part of their player are named and not compared."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command import grader
from tests.similarity.classes import MINIMAX, ROOT, SHORTEST_PATH

COOLCOW = (ROOT / "reference_players/coolcow.py").read_text(encoding="utf-8").replace("CoolCowPlayer", "Rush")
WINDOW = "import tkinter\n" + "\n".join(f"def draw_{n}(cell):\n    return [cell + {n}] * {n}" for n in range(30))
OWN = {
    name: f"from player import Player\nclass {name.title()}(Player):\n    def play(self, board):\n        return ({n}, {n})\n"
    for n, name in enumerate(("ana", "eva", "luis", "zoe"))
}


@pytest.fixture(scope="module")
def compared(tmp_path_factory) -> tuple[str, dict[str, Any]]:
    """A class with a shared opponent and a shared window; luis has zoe's player in a file that he does not use."""
    at = tmp_path_factory.mktemp("handed_out")
    for name, code in OWN.items():
        put(at / "class" / name / "solution.py", SHORTEST_PATH if name == "zoe" else code)
        put(at / "class" / name / "rush_player.py", COOLCOW)
    put(at / "class/ana/window.py", WINDOW)
    put(at / "class/eva/window.py", WINDOW)
    put(at / "class/luis/old/attempt.py", SHORTEST_PATH)
    done = grader("similarity", at / "class", "-o", at / "out", "--lang", "en")
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split()), json.loads((at / "out/similarity.json").read_text(encoding="utf-8"))


def put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_files_that_were_handed_out_are_listed(compared):
    output, content = compared

    assert [(each["file"], each["reason"]) for each in content["handed_out"]] == [
        ("rush_player.py", "the same in 4 submissions: ana, eva, luis, zoe"),
        ("window.py", "a user interface that the player does not use"),
    ]
    assert "not compared: rush_player.py (the same in 4 submissions: ana, eva, luis, zoe), window.py (a user" in output


def test_only_code_that_students_wrote_makes_a_pair(compared):
    _, content = compared
    (pair,) = content["pairs"]

    assert [pair["first"]["id"], pair["second"]["id"]] == ["luis", "zoe"]
    assert pair["remarks"] == [
        "identical file: old/attempt.py",
        "only in a file that luis's player does not use: old/attempt.py",
    ]


def test_a_player_that_three_students_submit_does_not_count_as_handed_out(tmp_path):
    for number, name in enumerate(("ana", "eva", "luis")):
        put(tmp_path / "class" / name / "solution.py", MINIMAX)
        put(tmp_path / "class" / name / "notes.py", f"x = {number}\n")
    grader("similarity", tmp_path / "class", "-o", tmp_path / "out")
    content = json.loads((tmp_path / "out/similarity.json").read_text(encoding="utf-8"))

    assert content["handed_out"] == [] and len(content["pairs"]) == 3


@pytest.mark.parametrize("decoy", ["import tkinter\n", "", "class HexBoard: pass\n"])
def test_a_copy_is_found_although_a_student_also_puts_it_into_an_unused_file(tmp_path, decoy):
    put(tmp_path / "class/ana/solution.py", SHORTEST_PATH)
    put(tmp_path / "class/bob/solution.py", SHORTEST_PATH.replace("STEPS", "WAYS"))
    put(tmp_path / "class/bob/board.py", decoy + SHORTEST_PATH)
    grader("similarity", tmp_path / "class", "-o", tmp_path / "out")
    content = json.loads((tmp_path / "out/similarity.json").read_text(encoding="utf-8"))

    assert [(pair["first"]["id"], pair["second"]["id"]) for pair in content["pairs"]] == [("ana", "bob")]


def test_an_engine_that_three_players_use_does_not_count_as_handed_out(tmp_path):
    for name, code in list(OWN.items())[:3]:
        put(tmp_path / "class" / name / "solution.py", "import main\n" + code)
        put(tmp_path / "class" / name / "main.py", SHORTEST_PATH.replace("def play", "def search"))
    put(tmp_path / "class/zoe/solution.py", MINIMAX)
    grader("similarity", tmp_path / "class", "-o", tmp_path / "out")
    content = json.loads((tmp_path / "out/similarity.json").read_text(encoding="utf-8"))

    assert content["handed_out"] == [] and len(content["pairs"]) == 3
