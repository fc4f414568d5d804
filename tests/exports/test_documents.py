"""The files for Gradescope, GitHub Classroom and JUnit follow their specifications, whatever a student wrote."""

import base64
import json
from dataclasses import replace
from datetime import datetime, timezone
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exports import github_classroom, gradescope, junit, moodle
from grader.language import say
from tests.exports.samples import ENGLISH, HOSTILE, crash, exported_grade

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

GRADES = [
    pytest.param(exported_grade(), id="graded"),
    pytest.param(exported_grade(outcomes=["won"] * 4), id="all won"),
    pytest.param(exported_grade(outcomes=["drew"] * 4), id="all drawn"),
    pytest.param(exported_grade(outcomes=["won"]), id="not finished"),
    pytest.param(exported_grade(outcomes=()), id="not started"),
    pytest.param(exported_grade(penalty=5), id="late"),
    pytest.param(exported_grade(fault=crash(HOSTILE), display_name=HOSTILE), id="hostile"),
    pytest.param(exported_grade(status="disqualified", reason="It imports torch."), id="disqualified"),
]


@pytest.mark.parametrize("exported", GRADES)
def test_gradescope_results_follow_the_specification(exported):
    content = json.loads(gradescope.render(exported, ENGLISH))

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
    content = json.loads(gradescope.render(exported_grade(), ENGLISH))

    assert [(test["name"], test["visibility"]) for test in content["tests"]] == [
        ("random", "visible"),
        ("minimax", "hidden"),
    ]
    assert content["stdout_visibility"] == "hidden"


def test_an_unfinished_run_scores_its_finished_games_and_reports_the_missing_ones():
    content = json.loads(gradescope.render(exported_grade(outcomes=["won", "won", "won"]), ENGLISH))

    assert content["score"] == 20
    assert "1 of 4 games have not been played" in content["output"]
    assert [test.get("status") for test in content["tests"]] == ["passed", None]
    assert "Game 2: not played." in content["tests"][1]["output"]


def test_a_submission_without_a_grade_is_never_exported_as_0():
    lost, won, graded = (exported_grade(outcomes=outcomes) for outcomes in (["lost"], ["won"], ["lost"] * 4))

    assert (lost.score, lost.is_unknown_zero) == (0, True), "its other games may still be won"
    assert (won.is_unknown_zero, graded.is_unknown_zero) == (False, False)


def test_the_time_of_a_faulty_answer_counts():
    content = json.loads(gradescope.render(exported_grade(fault=crash()), ENGLISH))
    (own,) = suite(exported_grade(fault=crash()))

    assert content["execution_time"] == 4 * 1.0 + 9.0
    assert content["leaderboard"][-1] == {"name": "Slowest move (s)", "value": 8.0, "order": "asc"}
    assert [case.attrib["time"] for case in own.findall("testcase")] == ["1.000", "10.000", "1.000", "1.000"]
    assert (
        json.loads(github_classroom.render(exported_grade(fault=crash()), ENGLISH))["tests"][0]["execution_time"]
        == 11.0
    )


def test_a_player_that_never_moved_is_not_ranked_as_the_fastest():
    content = json.loads(gradescope.render(exported_grade(outcomes=()), ENGLISH))

    assert [entry["name"] for entry in content["leaderboard"]] == ["Points", "Games won"]


def test_a_missing_submission_says_so():
    missing = replace(exported_grade(outcomes=(), reason="Nothing was submitted."), feedback=None, games=())

    assert json.loads(gradescope.render(missing, ENGLISH))["output"] == "Nothing was submitted."


def test_there_is_a_result_to_show_before_the_first_game_and_after_a_grader_error():
    for why in (gradescope.not_started_message(), gradescope.failure_message("bubblewrap is missing")):
        content = json.loads(gradescope.render_without_games(why, ENGLISH))
        assert set(content) <= TOP
        assert (content["score"], content["output"]) == (0, why)


@pytest.mark.parametrize(
    "render",
    [
        pytest.param(gradescope.render, id="Gradescope"),
        pytest.param(github_classroom.render, id="GitHub Classroom"),
        pytest.param(lambda exported, speak: moodle.render_comment("", exported, speak), id="Moodle"),
    ],
)
def test_texts_for_a_student_say_your_player(render):
    raised = say("The player raised {what}.", what="KeyError")

    written = render(exported_grade(fault=crash(raised), status="disqualified", reason=raised), ENGLISH)

    assert "Your player raised KeyError." in written
    assert "The player" not in written


@pytest.mark.parametrize("exported", GRADES)
def test_classroom_scores_add_up_to_the_grade(exported):
    rendered = github_classroom.render(exported, ENGLISH)
    content = json.loads(base64.b64decode(github_classroom.encode(rendered)))

    assert set(content) == {"version", "status", "max_score", "tests"}
    assert content["version"] == 1
    assert content["max_score"] == 30
    assert sum(test["score"] for test in content["tests"]) == pytest.approx(exported.score)
    fields = {"name", "status", "message", "test_code", "filename", "line_no", "execution_time", "score"}
    assert all(set(test) == fields for test in content["tests"])
    assert {content["status"], *(test["status"] for test in content["tests"])} <= {"pass", "fail", "error"}


@pytest.mark.parametrize(
    ("exported", "status"),
    [
        (exported_grade(outcomes=["won"] * 4), "pass"),
        (exported_grade(), "fail"),
        (exported_grade(fault=crash()), "error"),
        (exported_grade(outcomes=["won"]), "error"),
        (exported_grade(outcomes=["won"] * 4, status="disqualified"), "fail"),
    ],
)
def test_classroom_gets_the_overall_status(exported, status):
    assert json.loads(github_classroom.render(exported, ENGLISH))["status"] == status


def test_classroom_gets_the_students_failing_line_but_no_hidden_names():
    random, hidden = json.loads(github_classroom.render(exported_grade(fault=crash()), ENGLISH))["tests"]

    assert (random["filename"], random["line_no"]) == ("solution.py", 4)
    assert hidden["name"] == "hidden opponent 2"
    assert hidden["message"].splitlines() == [
        f"Game {number}: result not shown (hidden opponent)." for number in (1, 2)
    ]
    assert json.loads(github_classroom.render(exported_grade(), ENGLISH, reveal=True))["tests"][1]["name"] == "minimax"


def suite(*grades):
    return ElementTree.fromstring(junit.render(grades, ENGLISH, when=WHEN))


@pytest.mark.parametrize("exported", GRADES)
def test_junit_counts_match_its_test_cases(exported):
    root = suite(exported)

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


def test_in_junit_a_loss_is_a_failure_a_crash_an_error_and_points_are_properties():
    lost, crashed = suite(exported_grade("a"), exported_grade("b", fault=crash()))

    assert [failure.attrib["type"] for failure in lost.findall("testcase/failure")] == ["connected"]
    (error,) = crashed.findall("testcase/error")
    assert (error.attrib["type"], error.text) == ("crash", "solution.py:4: 1 / 0")
    points = {entry.attrib["name"]: entry.attrib["value"] for entry in lost.findall("properties/property")}
    assert (points["score"], points["points.random"], points["points.hidden opponent 2"]) == ("25", "5/10", "20/20")


def test_in_junit_a_game_against_a_hidden_opponent_reveals_nothing():
    (own,) = suite(exported_grade(outcomes=["won", "won", "won", "lost"], fault=crash()))

    (error,) = own.findall("testcase/error")
    assert error.attrib["message"] == error.text == "Game 2: result not shown (hidden opponent)."


@given(st.text())
def test_student_text_never_breaks_the_xml(text):
    (own,) = suite(exported_grade(fault=crash(text), display_name=text, status="disqualified", reason=text))

    assert len(own.findall("testcase")) == 5
