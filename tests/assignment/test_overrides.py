"""Exceptions for single students in an assignment."""

import json
import re
from pathlib import Path

import pytest

from grader.assignment import AssignmentError, Override, read_assignments
from tests.command import grader

PLAYERS = """
class Good:
    def __init__(self, player_id): ...
    def play(self, board):
        return board.get_possible_moves()[0]

class Better(Good):
    def play(self, board):
        return board.get_possible_moves()[-1]

class Best(Good):
    def play(self, board):
        return board.get_possible_moves()[0]
"""
ASSIGNMENT = """
title: T
game: hex
seed: 0
options: {size: 3}
opponents:
  - {player: random, points: 10, games: 2}
overrides:
  ana: {entry: "solution.py:Better", note: agreed on Monday}
  luis: {excused: true, note: ill}
  7: {extension: 2d}
"""


@pytest.fixture
def graded(tmp_path: Path) -> Path:
    (tmp_path / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")
    for name in ("ana", "luis", "eva"):
        (tmp_path / "subs" / name).mkdir(parents=True)
        (tmp_path / "subs" / name / "solution.py").write_text(PLAYERS, encoding="utf-8")
    done = grader("run", "subs", "-c", "assignment.yaml", "-o", "results", cwd=tmp_path)
    assert done.returncode == 1, "eva needs a decision"
    assert "overrides: no submission has the id '7'." in done.stderr
    return tmp_path


def test_an_override_can_name_the_player_or_excuse_the_student(graded):
    results = json.loads((graded / "results" / "results.json").read_text(encoding="utf-8"))
    by_id = {one["id"]: one for one in results["submissions"]}

    assert by_id["ana"]["status"] == "graded"
    assert (by_id["luis"]["status"], by_id["luis"]["score"]) == ("excused", None)
    assert (by_id["eva"]["status"], by_id["eva"]["score"]) == ("ungraded", None), "this submission has no override"


def test_overrides_are_shown_to_the_instructor_and_not_to_the_student(graded):
    shown = grader("show", "results", "ana", cwd=graded).stdout
    report = (graded / "results" / "report.html").read_text(encoding="utf-8")
    feedback = [path.read_text(encoding="utf-8") for path in (graded / "results" / "feedback").iterdir()]

    assert re.search(r"overrides +player solution.py:Better; note: agreed on Monday", shown)
    assert "Override: player solution.py:Better; note: agreed on Monday." in report
    assert "Override: excused; note: ill." in report
    assert not any("agreed on Monday" in text or "note: ill" in text for text in feedback)


def test_verify_and_report_accept_overrides(graded):
    verified = grader("verify", "results", cwd=graded)
    reported = grader("report", "results", cwd=graded)

    assert verified.returncode == 0, verified.stdout
    assert reported.returncode == 1 and "excused" in reported.stdout
    assert "Needs your decision:\n  eva: " in reported.stdout


def test_tournaments_and_exports_work_with_an_excused_student(graded):
    held = grader("tournament", "subs", "-c", "assignment.yaml", "-o", "t", "--anchor", "random", cwd=graded)
    exported = [grader("export", kind, "results", "-o", f"x-{kind}", cwd=graded) for kind in ("junit", "gradescope")]

    assert held.returncode == 0, held.stderr
    assert [done.returncode for done in exported] == [1, 1], [done.stderr for done in exported]
    assert all("eva: not graded. Found several players" in done.stderr for done in exported)


def test_a_wrong_entry_in_an_override_is_not_the_students_fault(graded):
    file = graded / "assignment.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("solution.py:Better", "nothing.py:X"), encoding="utf-8")
    done = grader("run", "subs", "-c", "assignment.yaml", "-o", "other", cwd=graded)

    assert done.returncode == 1
    assert re.search(r"^  ana: .*entry nothing.py:X", done.stdout, re.MULTILINE), done.stdout
    assert "eva" in done.stdout, "the others are still graded"


@pytest.mark.parametrize(
    ("extension", "late", "submitted", "left"),
    [
        ("2d", 3 * 86_400, None, 86_400),
        ("36h", 86_400, None, 0),
        ("1.5d", 2 * 86_400, None, 43_200),
        ("2026-06-02 12:00+00:00", 86_400, "2026-06-02T13:00:00+00:00", 3_600),
        ("2026-06-02 12:00+00:00", 86_400, "2026-06-01T13:00:00+00:00", 0),
    ],
)
def test_an_extension_counts_from_the_agreed_date(extension, late, submitted, left):
    assert Override.model_validate({"extension": extension}).late(late, submitted) == left


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ana: {extension: soon}", "must be a duration such as 2d or 36h"),
        ("ana: {entri: x.py}", "did you mean 'entry'?"),
        ("ana: {excused: maybe}", "must be true or false"),
    ],
)
def test_a_mistake_in_an_override_is_reported_with_its_place(text, problem):
    with pytest.raises(AssignmentError, match=re.escape(problem)):
        read_assignments(f"game: hex\noverrides:\n  {text}\n".encode(), "a.yaml")
