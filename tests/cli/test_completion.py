"""Shell completion, asked for as a shell does it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.inspection.reference_catalogue import reference_players
from tests.command import PROJECT

RUN = "from grader.cli import main; main(prog_name='grader')"
RESULTS = """{"submissions": [{"id": "ana", "parts": [{"opponent": "random"}, {"opponent": "mcts"}]},
{"id": "luis", "parts": [{"opponent": "random"}]}]}"""
STANDINGS = """{"tournaments": [{"players": [{"id": "eva"}, {"id": "mcts"}]}]}"""


def complete(line: str, cwd: Path, shell: str = "bash") -> list[str]:
    """The suggestions for the last word of a line, as the script for that shell receives them."""
    words = line.split(" ")
    environment = {
        **os.environ,
        "LANGUAGE": "en",
        "PYTHONPATH": str(PROJECT),
        "_GRADER_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    answer = subprocess.run(
        [sys.executable, "-c", RUN], capture_output=True, text=True, check=True, cwd=cwd, env=environment
    )
    assert answer.stderr == ""
    return answer.stdout.splitlines()


@pytest.fixture
def course(tmp_path):
    """A folder with submissions and the results of a run and of a tournament."""
    for name in ("ana", "luis"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "solution.py").write_text("class P:\n    def play(self, board): ...\n")
    for folder, file, content in (("run", "results.json", RESULTS), ("cup", "standings.json", STANDINGS)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / file).write_text(content, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("grader re", ["plain,report", "plain,replay", "plain,regrade"]),
        (
            "grader export g",
            ["plain,gradescope", "plain,gradescope-autograder", "plain,github-classroom", "plain,github-workflow"],
        ),
        ("grader run in --rev", ["plain,--reveal"]),
        ("grader doctor --lang ", ["plain,en", "plain,es"]),
        ("grader check x.py --isolation s", ["plain,strong"]),
        ("grader run in --game h", ["file,h", "plain,hex"]),
        ("grader list --game d", ["file,d", "plain,desconecta4"]),
        ("grader game he", ["file,he", "plain,hex"]),
        ("grader match solution.py mct", ["file,mct", "plain,mcts"]),
        ("grader play rand", ["file,rand", "plain,random"]),
        ("grader tournament in --anchor rand", ["plain,random"]),
        ("grader run in --only ", ["plain,ana", "plain,luis"]),
        ("grader run in --only ana --only l", ["plain,luis"]),
        ("grader show run ", ["plain,ana", "plain,luis"]),
        ("grader replay run a", ["plain,ana"]),
        ("grader replay cup ", ["plain,eva", "plain,mcts"]),
        ("grader replay run ana --opponent ", ["plain,random", "plain,mcts"]),
        ("grader regrade run --only l", ["plain,luis"]),
    ],
)
def test_words_are_completed(line, expected, course):
    assert complete(line, course) == expected


def test_every_reference_player_is_suggested_besides_files(tmp_path):
    names = dict.fromkeys(f"plain,{player.name}" for player in reference_players())

    assert complete("grader match ", tmp_path) == ["file,", *names]


@pytest.mark.parametrize(
    "line", ["grader run nowhere --only a", "grader show nowhere a", "grader show . a", "grader replay . a"]
)
def test_a_folder_that_cannot_be_read_gives_no_suggestions_and_no_error(line, tmp_path):
    (tmp_path / "results.json").write_text("{", encoding="utf-8")

    assert "".join(complete(line, tmp_path)) == ""


def test_other_shells_also_get_the_summary_of_a_command(tmp_path):
    assert complete("grader doc", tmp_path, shell="zsh") == [
        *("plain", "doctor", "Show which isolation levels this machine supports.")
    ]
