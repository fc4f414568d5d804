"""A class of submissions as students really hand them in, graded in one run."""

import csv
import re
from pathlib import Path
from xml.etree import ElementTree

from tests.command import grader
from tests.intake.folders import make
from tests.workflow.folders import results
from tests.workflow.real_class import CASES

GAMES = 2
UNDECIDED = [id_ for id_, case in CASES.items() if case.status == "ungraded"]
ASSIGNMENT = """
title: A class
game: hex
options: {size: 5}
time: {move: 5, load: 20}
opponents:
  - {player: random, points: 10, games: 2}
overrides: {decided: {entry: "player.py:MinimaxPlayer"}, misnamed: {entry: nothing.py}, no_play: {entry: "ia.py:Node"}}  # agreed
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
    assert {id_: found[id_]["endings"] for id_ in CASES} == {
        id_: {case.endings: GAMES} if case.status == "graded" else {} for id_, case in CASES.items()
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

    assert "Needs your decision:\n" in shown
    assert "\n  misnamed: overrides: misnamed: entry nothing.py: The assignment requires" in shown
    assert "  no_play: overrides: no_play: entry ia.py:Node: The class Node has no play() method." in shown
    assert (
        "  stand_in_beside_unfinished: The play() method of MiJugador is not implemented. The best other player"
        in shown
    )
    assert "  undecided_copies: Found several players" in shown
    assert "1. player.py:MctsPlayer: in player.py; a Player by its name or base class; at the top" in shown
    assert '    "undecided_names": {entry: "player.py:MctsPlayer"}' in shown
    assert [candidate["entry"] for candidate in candidates] == ["player.py:MctsPlayer", "player.py:MinimaxPlayer"]
    assert "at the top of the folder, as solution.py" in found["undecided_copies"]["findings"][0]["help"]


def assert_reasons_are_given(shown: str) -> None:
    """Every submission that does not play has its reason in one line, before the table; what would help is summed up."""
    assert shown.index("Needs your attention: ") < shown.index("No player found:\n") < shown.index("how games ended")
    for line in (
        r"  \w+, \w+: The module zz_scipy is neither part of the submission nor installed\.",
        r"  unfinished: The play\(\) method of SmartPlayer is not implemented\.",
        r"  near_miss: .*Agent\.get_move\(board\) in agent\.py:2 seems to choose a move; Agent\.make_move\(row, col\) .*",
        r"  near_miss_action: .*Bot\.compute_action\(env\) in bot\.py:2 seems to choose a move\.",
        r"  only_board_and_game: .*HexGame\.play\(start, move\) .*",
        r"  returns_none: .*None.*",
        r"→ Missing modules: zz_scipy \(2 submissions\)\. If any of these are packages, install them and run the same command again\.",
        r"`extended_board: true` in the assignment would fix at least the first error of 3 submissions, .*: extended, extended_neighbours, extended_too\.",
    ):
        assert re.search(f"^{line}$", shown, re.MULTILINE), (line, shown)


def assert_nothing_undecided_is_exported(folder: Path) -> None:
    """A submission that needs a decision has no score anywhere, while the others have theirs."""
    worksheet = "Identifier,Full name,Status,Grade,Maximum Grade,Grade can be changed,Last modified\n"
    gradebook = "Student,ID,SIS User ID,SIS Login ID,Section,Game (1)\n    Points Possible,,,,,10\n"
    for number, id_ in enumerate(("ana", *UNDECIDED)):
        worksheet += f"Participant {number},{id_},Submitted,,10.00,Yes,-\n"
        gradebook += f"{id_},{number},{id_},{id_},A,\n"
    (folder / "worksheet.csv").write_text(worksheet, encoding="utf-8")
    (folder / "gradebook.csv").write_text(gradebook, encoding="utf-8")

    for kind, *options in (
        ("moodle", "--worksheet", "worksheet.csv"),
        ("canvas", "--gradebook", "gradebook.csv"),
        ("gradescope",),
        ("github-classroom",),
        ("junit",),
    ):
        done = grader("export", kind, "results", "-o", f"out-{kind}", *options, cwd=folder)
        assert done.returncode == 1, (kind, done.stderr)
        assert all(f"{id_}: " in done.stderr for id_ in UNDECIDED), (kind, done.stderr)

    scores = {
        "csv": _column(folder / "results/grades.csv", "id", "score"),
        "moodle": _column(folder / "out-moodle/worksheet.csv", "Full name", "Grade"),
        "canvas": _column(folder / "out-canvas", "SIS User ID", "Game (1)"),
        "junit": {
            suite.get("name", ""): _property(suite, "score")
            for suite in ElementTree.parse(folder / "out-junit").getroot()
        },
    }
    assert {kind: {id_: found.get(id_) or "" for id_ in UNDECIDED} for kind, found in scores.items()} == {
        kind: dict.fromkeys(UNDECIDED, "") for kind in scores
    }
    assert all(float(found["ana"]) >= 0 for found in scores.values())
    for kind, name in (("gradescope", "{}/results.json"), ("github-classroom", "{}.json")):
        assert (folder / f"out-{kind}" / name.format("ana")).exists()
        assert not any((folder / f"out-{kind}" / name.format(id_)).exists() for id_ in UNDECIDED)


def _column(file: Path, key: str, value: str) -> dict[str, str]:
    with file.open(encoding="utf-8-sig", newline="") as opened:
        return {row[key]: row[value] for row in csv.DictReader(opened)}


def _property(suite: ElementTree.Element, name: str) -> str:
    return next(each.get("value", "") for each in suite.iter("property") if each.get("name") == name)
