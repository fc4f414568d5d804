"""A class of submissions as students really hand them in, graded in one run."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.command import ENGLISH, grader
from tests.intake.folders import make
from tests.workflow.folders import results
from tests.workflow.real_class import CASES

ASSIGNMENT = """
title: A class
game: hex
options: {size: 5}
time: {move: 5, load: 20}
opponents:
  - {player: random, points: 10, games: 2}
overrides: {decided: {entry: "player.py:MinimaxPlayer"}, misnamed: {entry: nothing.py}}  # agreed
"""


def test_every_submission_of_a_class_gets_the_verdict_it_deserves(tmp_path):
    (tmp_path / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")
    for id_, case in CASES.items():
        make(tmp_path / "class", case.files, id_)

    done = grader("run", "class", "-o", "results", cwd=tmp_path)
    found = results(tmp_path / "results")

    assert {id_: _verdict(submission) for id_, submission in found.items()} == {
        id_: (case.status, case.entry, list(case.codes)) for id_, case in CASES.items()
    }
    assert all((found[id_]["score"] is None) == (case.status == "ungraded") for id_, case in CASES.items())
    assert {id_: found[id_]["endings"] for id_, case in CASES.items() if case.endings} == {
        id_: {case.endings: 2} for id_, case in CASES.items() if case.endings
    }
    assert done.returncode == 1, done.stderr
    assert "grader error" not in done.stderr
    assert_decisions_are_asked_for(done.stdout, found)
    assert_reasons_are_given(done.stdout)
    assert_nothing_undecided_is_exported(tmp_path)
    assert grader("verify", "results", cwd=tmp_path).returncode == 0


def _verdict(submission) -> tuple[str, str | None, list[str]]:
    return submission["status"], submission["entry"], [finding["code"] for finding in submission["findings"]]


def assert_decisions_are_asked_for(shown: str, found) -> None:
    """The undecided submissions are named with all their candidates, and with the lines to write."""
    candidates = found["undecided_names"]["candidates"]

    assert "Needs your decision:\n  misnamed: overrides: misnamed: entry nothing.py: The assignment requires" in shown
    assert "  undecided_copies: Found several players" in shown
    assert "1. player.py:MctsPlayer: in player.py; named or derived as a Player; at the top" in shown
    assert '    undecided_names: {entry: "player.py:MctsPlayer"}' in shown
    assert [candidate["entry"] for candidate in candidates] == ["player.py:MctsPlayer", "player.py:MinimaxPlayer"]
    assert "at the top of the folder, as solution.py" in found["undecided_copies"]["findings"][0]["help"]


def assert_reasons_are_given(shown: str) -> None:
    """Every submission that does not play has its reason in one line; what would help is summed up."""
    for line in (
        r"  needs_package: While loading.*No module named 'zz_scipy'",
        r"  unfinished: The play\(\) method of SmartPlayer is not implemented\.",
        r"  near_miss: .*Agent\.get_move\(board\) in agent\.py:2 seems to choose a move; Agent\.make_move\(row, col\) .*",
        r"  returns_none: .*None.*",
        r"Missing modules: zz_scipy: 2 submissions\. Install those that are packages, and run again\.",
        r"`extended_board: true` in the assignment would save 2 submissions, .*: extended, extended_too\.",
    ):
        assert re.search(f"^{line}$", shown, re.MULTILINE), (line, shown)


def assert_nothing_undecided_is_exported(folder: Path) -> None:
    exported = {kind: grader("export", kind, "results", "-o", kind, cwd=folder) for kind in ("gradescope", "junit")}

    assert {kind: run.returncode for kind, run in exported.items()} == {"gradescope": 1, "junit": 1}
    assert (folder / "gradescope/ana/results.json").exists()
    assert not (folder / "gradescope/undecided_names").exists()


def test_decide_asks_and_writes_the_overrides_without_touching_the_rest(tmp_path):
    (tmp_path / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")
    for id_ in ("undecided_copies", "undecided_names"):
        make(tmp_path / "class", CASES[id_].files, id_)
    command = [sys.executable, "-m", "grader", "run", "class", "-o", "results", "--decide"]

    done = subprocess.run(
        command,
        cwd=tmp_path,
        input="7\n2\n\n",  # there is no seventh; the second; leave the other open
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
        env={**os.environ, **ENGLISH},
    )
    found = results(tmp_path / "results")

    assert done.returncode == 1, done.stderr
    assert (found["undecided_copies"]["status"], found["undecided_names"]["status"]) == ("graded", "ungraded")
    assert found["undecided_copies"]["entry"] == "b/solution.py:SmartPlayer"
    entry = json.dumps({"undecided_copies": {"entry": "b/solution.py:SmartPlayer"}})
    assert (tmp_path / "assignment.yaml").read_text(encoding="utf-8") == ASSIGNMENT.replace(
        "{decided", entry.replace('"entry"', "entry")[:-1] + ", decided"
    )
