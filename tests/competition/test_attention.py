"""Why a submission needs the instructor's attention."""

from dataclasses import replace

import pytest

from grader.competition.attention import Attention, Cause, concern_about, share_reasons
from grader.fixtures import Match
from grader.language import language, say
from grader.records import Ending, Fault, Finding
from grader.reports import attention as report
from grader.scoring.points import Grade, points_by_opponent
from tests.exports.samples import ASSIGNMENT, crash, exported_grade, played
from tests.matches import planned

ENGLISH, SPANISH = language("en"), language("es")
CRASH = crash("The player raised IndexError in solution.py:12: list index out of range")
ILLEGAL = Fault(ending=Ending.ILLEGAL_MOVE, text="The player returned 7, which is not a legal move here.", help="")
TORCH = Fault(ending=Ending.CRASH, text="The player raised ModuleNotFoundError: No module named 'torch.nn'", help="")


def graded(*outcomes: str | Fault, **changes) -> tuple[Grade, list[Match]]:
    """A grade and its games, each `won`, `lost`, `drew`, or lost by a fault. Without outcomes, no game was played."""
    fixtures = planned(ASSIGNMENT, "ana")
    results = {
        fixture.key: played(fixture.seat, "lost", outcome)
        if isinstance(outcome, Fault)
        else played(fixture.seat, outcome)
        for fixture, outcome in zip(fixtures, outcomes, strict=False)
    }
    parts = points_by_opponent(ASSIGNMENT, fixtures, results, unloadable=not outcomes)
    score = sum(part.points for part in parts)
    grade = replace(exported_grade("ana").grade, score=score, parts=parts, **{"status": "graded", **changes})
    matches = [
        Match.of(fixture, results[fixture.key], ASSIGNMENT.rules, seat=fixture.seat)
        for fixture in fixtures
        if fixture.key in results
    ]
    return grade, matches


def unplayable(code: str, text: str, **changes) -> tuple[Grade, list[Match]]:
    """A grade of a submission that was not played because of this finding."""
    return graded(reason=text, findings=(Finding(code=code, text=text, help=""),), **changes)


@pytest.mark.parametrize(
    ("grade", "cause", "reason"),
    [
        pytest.param(unplayable("no_player", "Only a notebook."), Cause.NO_PLAYER, "Only a notebook.", id="no player"),
        pytest.param(unplayable("empty_submission", "No files."), Cause.EMPTY, "No files.", id="empty"),
        pytest.param(unplayable("broken_zip", "Not a zip."), Cause.UNREADABLE, "Not a zip.", id="damaged zip"),
        pytest.param(unplayable("syntax_error", "Line 2."), Cause.NOT_LOADED, "Line 2.", id="syntax error"),
        pytest.param(
            unplayable("load_error", "Loading took longer.", entry="solution.py:SmartPlayer"),
            Cause.NOT_LOADED,
            "Loading took longer.",
            id="load error",
        ),
        pytest.param(
            unplayable("load_error", "No module named 'torch.nn'", entry="solution.py:SmartPlayer"),
            Cause.MISSING_MODULE,
            "The module torch is neither part of the submission nor installed.",
            id="missing module",
        ),
        pytest.param(graded(CRASH, CRASH, CRASH, CRASH), Cause.FAILED, CRASH.text, id="the same exception every time"),
        pytest.param(
            graded(CRASH, ILLEGAL, ILLEGAL, CRASH),
            Cause.FAILED,
            f"2× exception, 2× illegal move. For example: {CRASH.text}",
            id="several faults",
        ),
        pytest.param(
            graded(TORCH, TORCH, TORCH, TORCH),
            Cause.MISSING_MODULE,
            "The module torch is neither part of the submission nor installed.",
            id="a module that is imported in a game",
        ),
        pytest.param(
            graded("lost", ILLEGAL, "lost", "lost"),
            Cause.LOST,
            f"3× connected, 1× illegal move. For example: {ILLEGAL.text}",
            id="lost by the rules and by a fault",
        ),
        pytest.param(graded("lost", "lost", "lost", "lost"), Cause.LOST, "4× connected", id="lost by the rules"),
        pytest.param(
            graded(status="missing", reason="Nothing was submitted."),
            Cause.MISSING,
            "Nothing was submitted.",
            id="missing",
        ),
        pytest.param(
            graded("won", "won", "won", "won", status="disqualified", reason="It imports os."),
            Cause.DISQUALIFIED,
            "It imports os.",
            id="disqualified",
        ),
    ],
)
def test_a_zero_has_a_cause_and_a_reason(grade, cause, reason):
    concern = concern_about(*grade)

    assert concern is not None
    assert (concern.cause, concern.reason) == (cause, reason)


@pytest.mark.parametrize(
    ("changes", "cause", "reason"),
    [
        ({"penalty": 10.0}, Cause.LATE, "10 points before the late penalty of 10."),
        ({}, Cause.NO_POINTS, "10 points before rounding."),
    ],
)
def test_points_that_were_taken_away_are_mentioned(changes, cause, reason):
    grade, matches = graded("won", "won", "lost", "lost")
    concern = concern_about(replace(grade, score=0.0, **changes), matches)

    assert concern is not None
    assert (concern.cause, concern.reason) == (cause, reason)


def test_wins_that_give_no_points_are_mentioned():
    grade, matches = graded("won", "lost", "lost", "lost")
    parts = tuple(replace(part, points=0.0) for part in grade.parts)
    concern = concern_about(replace(grade, score=0.0, parts=parts), matches)

    assert concern is not None
    assert (concern.cause, concern.reason) == (Cause.NO_POINTS, "1 won, 0 drawn, 3 lost: too few for points.")


def test_a_submission_without_a_grade_is_not_a_zero():
    undecided, broken = (
        concern_about(replace(graded()[0], status="ungraded", score=None, reason="?", needs_decision=needs), [])
        for needs in (True, False)
    )

    assert undecided and undecided.cause is Cause.DECISION
    assert broken and broken.cause is Cause.UNGRADED
    assert Attention(concerns=(undecided, broken)).zeros == ()


def test_submissions_with_points_and_excused_students_need_no_attention():
    assert concern_about(*graded("won", CRASH, CRASH, CRASH)) is None
    assert concern_about(replace(graded()[0], status="excused", score=None), []) is None


def test_a_finding_to_check_needs_attention_whatever_the_points():
    found = Finding(code="unclear_upload", text="Graded solution (1).py.", help="")
    concern = concern_about(*graded("won", "won", "won", "won", findings=(found,)))

    assert concern is not None
    assert (concern.cause, concern.reason, concern.is_zero) == (Cause.FLAGGED, found.text, False)


def test_a_finding_to_check_is_mentioned_next_to_the_reason_for_no_points():
    found = Finding(code="unclear_upload", text="Graded solution (1).py.", help="")
    lost = concern_about(*graded("lost", "lost", "lost", "lost", findings=(found,)))
    broken = concern_about(*graded(reason="Loading failed.", entry="a.py:A", findings=(found,)))

    assert lost is not None and lost.cause is Cause.LOST and lost.reason.endswith(". Graded solution (1).py.")
    assert broken is not None and broken.cause is Cause.NOT_LOADED
    assert broken.reason == "Loading failed. Graded solution (1).py."


def concerns(*grades: tuple[Grade, list[Match]]):
    """The concerns about these grades, numbered s0, s1 and so on."""
    found = [concern_about(replace(grade, id=f"s{at}", name=f"s{at}"), own) for at, (grade, own) in enumerate(grades)]
    return tuple(concern for concern in found if concern is not None)


def test_submissions_with_the_same_reason_are_one_line():
    crashing = graded(CRASH, CRASH, CRASH, CRASH)
    shared = share_reasons(concerns(crashing, graded("lost", "lost", "lost", "lost"), crashing))

    assert [[concern.grade.id for concern in each.concerns] for each in shared] == [["s0", "s2"], ["s1"]]
    text = report.render(Attention(concerns=concerns(crashing, crashing)), 5, ENGLISH)
    assert text.startswith("Needs your attention: 2 of 5 (2 with 0 points, 0 not graded)\n\nFails in every game:\n")
    assert f"\n  s0, s1: {CRASH.text}\n→ " in text


def test_many_names_are_cut_in_the_terminal():
    missing = graded(status="missing", reason="Nothing was submitted.")
    text = report.render(Attention(concerns=concerns(*[missing] * 10)), 10, ENGLISH)

    assert "\n  s0, s1, s2, s3, s4, s5, s6, s7 and 2 more\n" in text


def test_every_cause_says_what_to_do_in_every_language():
    for cause in Cause:
        advice = report.advice(cause, Attention(missing_modules={"torch": 2}))
        assert ENGLISH(advice) != SPANISH(advice), cause


def test_missing_modules_of_submissions_with_points_are_still_summed_up():
    text = report.render(Attention(missing_modules={"torch": 2, "scipy": 1}), 3, ENGLISH)

    assert "Missing modules: torch (2 submissions), scipy (1 submission)." in text


def test_nothing_is_said_if_nothing_needs_attention():
    assert report.render(Attention(), 3, ENGLISH) == report.render_zeros((), ENGLISH) == ""


def test_the_zeros_of_an_export_are_listed_with_their_reasons():
    text = report.render_zeros(
        concerns(graded("lost", "lost", "lost", "lost"), graded(CRASH, CRASH, CRASH, CRASH)), ENGLISH
    )

    assert text.splitlines()[0] == "2 grades are 0:"
    assert "  Lost every game:\n    s0: 4× connected" in text


def test_a_game_that_identical_submissions_share_names_each_of_them():
    fixture = planned(ASSIGNMENT, "bob")[0]
    why = say("{text} {why}", text=say("{name} waited for {seconds:g} s.", name="a", seconds=3.0), why="Busy a.")
    record = replace(played(0, "won"), attempts=(why,))

    match = Match.of(fixture, record, ASSIGNMENT.rules, seat=0)

    assert [seat.name for seat in match.record.seats] == ["bob", "random"]
    assert match.record.attempts == ("bob waited for 3 s. Busy a.",)
    assert SPANISH(match.record.attempts[0]).startswith("bob waited"), "it is still a message"
