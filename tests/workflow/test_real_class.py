"""A class of submissions as students really hand them in, graded in one run."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

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
overrides: {decided: {entry: "player.py:MinimaxPlayer"}}  # agreed
"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("real")
    (folder / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")
    for id_, case in CASES.items():
        make(folder / "class", case.files, id_)
    return folder, grader("run", "class", "-o", "results", cwd=folder)


@pytest.mark.parametrize("id_", CASES)
def test_every_submission_gets_the_verdict_it_deserves(graded, id_):
    case, found = CASES[id_], results(graded[0] / "results")[id_]

    assert (found["status"], found["entry"]) == (case.status, case.entry), found
    assert tuple(finding["code"] for finding in found["findings"]) == case.codes, found["findings"]
    assert (found["score"] is None) == (case.status == "ungraded")
    if case.endings:
        assert found["endings"] == {case.endings: 2}


def test_what_cannot_be_decided_is_named_with_its_candidates_and_never_exported_as_zero(graded):
    folder, done = graded
    exported = {kind: grader("export", kind, "results", "-o", kind, cwd=folder) for kind in ("gradescope", "junit")}
    candidates = results(folder / "results")["undecided_names"]["candidates"]

    assert done.returncode == 1
    assert "Needs your decision:\n  undecided_copies: Found several players" in done.stdout
    assert "1. player.py:MctsPlayer: in player.py; named or derived as a Player; at the top" in done.stdout
    assert [candidate["entry"] for candidate in candidates] == ["player.py:MctsPlayer", "player.py:MinimaxPlayer"]
    assert "grader error" not in done.stderr
    assert {kind: run.returncode for kind, run in exported.items()} == {"gradescope": 1, "junit": 1}
    assert (folder / "gradescope/ana/results.json").exists()
    assert not (folder / "gradescope/undecided_names").exists()
    assert grader("verify", "results", cwd=folder).returncode == 0


def test_the_terminal_says_why_a_submission_does_not_play_and_what_would_help(graded):
    shown = graded[1].stdout

    assert re.search(r"^  needs_package: While loading.*No module named 'zz_scipy'$", shown, re.MULTILINE)
    assert re.search(r"^  unfinished: The play\(\) method of SmartPlayer is not implemented\.$", shown, re.MULTILINE)
    assert re.search(
        r"^  near_miss: .*Agent\.get_move\(board\) in agent\.py:2 seems to choose a move", shown, re.MULTILINE
    )
    assert "Missing modules: zz_scipy: 2 submissions. Install those that are packages, and run again." in shown
    assert "`extended_board: true` in the assignment would save 1 submission" in shown
    assert "get_empty_cells: extended." in shown


def test_decide_asks_and_writes_the_overrides_without_touching_the_rest(graded):
    folder, _ = graded
    command = [sys.executable, "-m", "grader", "run", "class", "-o", "decided", "--decide"]
    command += ["--only", "undecided_names", "--only", "undecided_copies"]
    done = subprocess.run(
        command, cwd=folder, input="7\n2\n\n", capture_output=True, encoding="utf-8", check=False, timeout=120,
        env={**os.environ, **ENGLISH},
    )  # fmt: skip
    found = results(folder / "decided")
    written = (folder / "assignment.yaml").read_text(encoding="utf-8")
    (folder / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")

    assert done.returncode == 1, done.stderr
    statuses = {id_: submission["status"] for id_, submission in found.items()}
    assert sorted(statuses.values()) == ["graded", "ungraded"], done.stderr
    chosen = next(id_ for id_, status in statuses.items() if status == "graded")
    entry = found[chosen]["entry"]
    assert written == ASSIGNMENT.replace("overrides: {", f'overrides: {{"{chosen}": {{entry: {json.dumps(entry)}}}, ')
