"""What goes to Gradescope, GitHub Classroom and JUnit is what their documents say, whatever a student wrote."""

import base64
import json
from dataclasses import replace
from datetime import datetime, timezone
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exports import github_classroom, gradescope, junit
from tests.exports.samples import ENGLISH, HOSTILE, crash, mark

WHEN = datetime(2026, 3, 2, 15, 58, tzinfo=timezone.utc)

TOP = {
    *("score", "execution_time", "output", "output_format", "test_output_format", "test_name_format"),
    *("visibility", "stdout_visibility", "extra_data", "tests", "leaderboard"),
}
TEST = {
    *("score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags"),
    *("visibility", "extra_data"),
}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}
VISIBILITIES = {"hidden", "after_due_date", "after_published", "visible"}

MARKS = [
    pytest.param(mark(), id="graded"),
    pytest.param(mark(outcomes=["won"] * 4), id="all won"),
    pytest.param(mark(outcomes=["drew"] * 4), id="all drawn"),
    pytest.param(mark(outcomes=["won"]), id="not finished"),
    pytest.param(mark(outcomes=()), id="not begun"),
    pytest.param(mark(penalty=5), id="late"),
    pytest.param(mark(fault=crash(HOSTILE), shown=HOSTILE), id="hostile"),
    pytest.param(mark(status="disqualified", reason="It imports torch."), id="disqualified"),
]


@pytest.mark.parametrize("one", MARKS)
def test_gradescope_gets_what_its_document_allows(one):
    content = json.loads(gradescope.render(one, ENGLISH))

    assert set(content) <= TOP
    assert {content["output_format"], content["test_output_format"], content["test_name_format"]} <= FORMATS
    assert {content["visibility"], content["stdout_visibility"]} <= VISIBILITIES
    assert 0 <= content["score"] <= 30
    for test in content["tests"]:
        assert set(test) <= TEST
        assert isinstance(test["number"], str)
        assert test.get("status", "passed") in ("passed", "failed")
        assert test["visibility"] in VISIBILITIES
        assert 0 <= test["score"] <= test["max_score"]
    for entry in content["leaderboard"]:
        assert set(entry) == {"name", "value", "order"}
        assert entry["order"] in ("asc", "desc")


def test_gradescope_hides_hidden_opponents_from_students():
    content = json.loads(gradescope.render(mark(), ENGLISH))

    assert [(test["name"], test["visibility"]) for test in content["tests"]] == [
        ("random", "visible"),
        ("minimax", "hidden"),
    ]
    assert content["stdout_visibility"] == "hidden"


def test_an_unfinished_run_is_worth_what_was_played_and_says_what_was_not():
    content = json.loads(gradescope.render(mark(outcomes=["won", "won", "won"]), ENGLISH))

    assert content["score"] == 20
    assert "1 of 4 games have not been played" in content["output"]
    assert [test.get("status") for test in content["tests"]] == ["passed", None]
    assert "Game 2: not played." in content["tests"][1]["output"]


def test_the_answer_that_was_a_fault_counts_among_the_times():
    content = json.loads(gradescope.render(mark(fault=crash()), ENGLISH))
    (own,) = suite(mark(fault=crash()))

    assert content["execution_time"] == 4 * 1.0 + 9.0
    assert content["leaderboard"][-1] == {"name": "Slowest move (s)", "value": 8.0, "order": "asc"}
    assert [case.attrib["time"] for case in own.findall("testcase")] == ["1.000", "10.000", "1.000", "1.000"]
    assert json.loads(github_classroom.render(mark(fault=crash()), ENGLISH))["tests"][0]["execution_time"] == 11.0


def test_who_has_not_moved_is_not_the_fastest_of_the_class():
    content = json.loads(gradescope.render(mark(outcomes=()), ENGLISH))

    assert [entry["name"] for entry in content["leaderboard"]] == ["Points", "Games won"]


def test_who_has_submitted_nothing_is_told_so():
    missing = replace(mark(outcomes=(), reason="Nothing was submitted."), feedback=None, games=())

    assert json.loads(gradescope.render(missing, ENGLISH))["output"] == "Nothing was submitted."


def test_before_the_first_game_and_after_a_fault_of_ours_there_is_something_to_show():
    for why in (gradescope.not_started_message(), gradescope.failure_message("there is no bubblewrap")):
        content = json.loads(gradescope.render_without_games(why, ENGLISH))
        assert set(content) <= TOP
        assert (content["score"], content["output"]) == (0, why)


@pytest.mark.parametrize("one", MARKS)
def test_classroom_adds_the_scores_up_to_the_grade(one):
    rendered = github_classroom.render(one, ENGLISH)
    content = json.loads(base64.b64decode(github_classroom.encode(rendered)))

    assert set(content) == {"version", "status", "max_score", "tests"}
    assert content["version"] == 1
    assert content["max_score"] == 30
    assert sum(test["score"] for test in content["tests"]) == pytest.approx(one.score)
    fields = {"name", "status", "message", "test_code", "filename", "line_no", "execution_time", "score"}
    assert all(set(test) == fields for test in content["tests"])
    assert {content["status"], *(test["status"] for test in content["tests"])} <= {"pass", "fail", "error"}


@pytest.mark.parametrize(
    ("one", "status"),
    [
        (mark(outcomes=["won"] * 4), "pass"),
        (mark(), "fail"),
        (mark(fault=crash()), "error"),
        (mark(outcomes=["won"]), "error"),
        (mark(outcomes=["won"] * 4, status="disqualified"), "fail"),
    ],
)
def test_classroom_is_told_how_it_went(one, status):
    assert json.loads(github_classroom.render(one, ENGLISH))["status"] == status


def test_classroom_is_shown_the_students_own_line_and_no_hidden_name():
    random, hidden = json.loads(github_classroom.render(mark(fault=crash()), ENGLISH))["tests"]

    assert (random["filename"], random["line_no"]) == ("solution.py", 4)
    assert hidden["name"] == "hidden opponent 2"
    assert hidden["message"].splitlines() == [
        f"Game {number}: its opponent is hidden, so how it went is not told." for number in (1, 2)
    ]
    assert json.loads(github_classroom.render(mark(), ENGLISH, reveal=True))["tests"][1]["name"] == "minimax"


def suite(*marks):
    return ElementTree.fromstring(junit.render(marks, ENGLISH, when=WHEN))


@pytest.mark.parametrize("one", MARKS)
def test_junit_counts_what_it_lists(one):
    root = suite(one)

    (own,) = root
    for parent in (root, own):
        assert int(parent.attrib["tests"]) == len(own.findall("testcase"))
        assert int(parent.attrib["failures"]) == len(own.findall("testcase/failure"))
        assert int(parent.attrib["errors"]) == len(own.findall("testcase/error"))
        assert int(parent.attrib["skipped"]) == len(own.findall("testcase/skipped"))
    assert own.attrib["timestamp"] == "2026-03-02T15:58:00"
    assert all(set(case.attrib) == {"classname", "name", "time"} for case in own.findall("testcase"))
    names = [case.attrib["name"] for case in own.findall("testcase")]
    assert len(set(names)) == len(names)


def test_in_junit_a_loss_fails_a_crash_errs_and_points_are_properties():
    lost, crashed = suite(mark("a"), mark("b", fault=crash()))

    assert [failure.attrib["type"] for failure in lost.findall("testcase/failure")] == ["connected"]
    (error,) = crashed.findall("testcase/error")
    assert (error.attrib["type"], error.text) == ("crash", "solution.py:4: 1 / 0")
    points = {one.attrib["name"]: one.attrib["value"] for one in lost.findall("properties/property")}
    assert (points["score"], points["points.random"], points["points.hidden opponent 2"]) == ("25", "5/10", "20/20")


def test_in_junit_a_game_against_a_hidden_opponent_says_that_it_is_one():
    (own,) = suite(mark(outcomes=["won", "won", "won", "lost"], fault=crash()))

    (error,) = own.findall("testcase/error")
    assert error.attrib["message"] == error.text == "Game 2: its opponent is hidden, so how it went is not told."


@given(st.text())
def test_no_text_of_a_student_breaks_the_xml(text):
    (own,) = suite(mark(fault=crash(text), shown=text, status="disqualified", reason=text))

    assert len(own.findall("testcase")) == 5
