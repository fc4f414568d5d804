"""`grader run --decide` asks which class plays, and writes the answers to the assignment."""

import subprocess
from io import StringIO
from pathlib import Path

import pytest
import yaml

from grader.cli.decide import decide as ask_for_decisions
from grader.language import language
from grader.workflow import make_request
from tests.command import grader
from tests.intake.folders import make
from tests.workflow.folders import results
from tests.workflow.real_class import CASES

ASSIGNMENT = """
game: hex
options: {size: 3}
opponents:
  - {player: random, points: 10, games: 2}
overrides: {someone: {entry: "player.py:Mine"}}  # agreed
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    for id_ in ("undecided_copies", "undecided_names"):
        make(tmp_path / "course/class", CASES[id_].files, id_)
    return tmp_path / "course"


def decide(folder: Path, answers: str, *options: str, path: str = "class") -> subprocess.CompletedProcess[str]:
    return grader("run", path, "-o", folder.parent / "results", "--decide", *options, cwd=folder, typed=answers)


def test_the_answers_take_effect_and_the_rest_of_the_file_stays_as_it_is(course):
    file = course / "assignment.yaml"
    file.write_bytes(ASSIGNMENT.replace("\n", "\r\n").encode())

    done = decide(course, "7\n2\n\n")  # there is no seventh; the second; leave the other open
    found = results(course.parent / "results")

    assert done.returncode == 1, done.stderr
    assert "Enter a number from 1 to 2." in done.stderr
    assert (found["undecided_copies"]["status"], found["undecided_names"]["status"]) == ("graded", "ungraded")
    assert found["undecided_copies"]["entry"] == "b/solution.py:SmartPlayer"
    added = '{"undecided_copies": {entry: "b/solution.py:SmartPlayer"}, someone'
    assert file.read_bytes().decode() == ASSIGNMENT.replace("{someone", added).replace("\n", "\r\n")


@pytest.mark.parametrize("option", ["--dry-run", "--show-assignment"])
def test_what_plays_nothing_writes_nothing(course, option):
    (course / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")

    done = decide(course, "1\n2\n", option)

    assert done.returncode == 0, done.stderr
    assert "the overrides of undecided_copies, undecided_names were not written." in done.stderr
    assert (course / "assignment.yaml").read_text(encoding="utf-8") == ASSIGNMENT


def test_the_end_of_the_input_leaves_the_remaining_submissions_open(course):
    (course / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")

    done = decide(course, "", "--dry-run")

    assert done.returncode == 0, done.stderr
    assert "undecided_copies: Found several players" in done.stderr and "Wrote" not in done.stderr
    assert (course / "assignment.yaml").read_text(encoding="utf-8") == ASSIGNMENT


def test_without_an_assignment_the_built_in_one_is_written_without_the_options_of_the_command(course, monkeypatch):
    monkeypatch.chdir(course)
    monkeypatch.setattr("sys.stdin", StringIO("1\n2\n"))
    request = make_request("class", course.parent / "results", game="hex", seed=7, accept_isolation="none")

    decided = ask_for_decisions(request, language("en"), write=True)
    written = yaml.safe_load((course / "assignment.yaml").read_text(encoding="utf-8"))

    assert decided.source.file == Path("assignment.yaml")
    assert {id_: override["entry"] for id_, override in written["overrides"].items()} == {
        "undecided_copies": "a/solution.py:SmartPlayer",
        "undecided_names": "player.py:MinimaxPlayer",
    }
    assert "seed" not in written and written["isolation"] == "good"


def test_an_assignment_that_is_not_in_effect_is_never_overwritten(tmp_path):
    make(tmp_path / "course", {**CASES["undecided_copies"].files, "assignment.yaml": ASSIGNMENT}, "class")

    outside = decide(tmp_path / "course", "1\n", "--single", "--dry-run")
    inside = decide(tmp_path / "course/class", "1\n", "--single", "--dry-run", path=".")

    assert outside.returncode == 0, outside.stderr
    assert inside.returncode == 2 and "would overwrite assignment.yaml" in inside.stderr
    assert (tmp_path / "course/class/assignment.yaml").read_text(encoding="utf-8") == ASSIGNMENT
