"""The feedback for a student, in Markdown."""

import re
from dataclasses import replace

import pytest

from grader import __version__
from grader.assignment import MatchTime
from grader.language import language
from grader.records import Ending, Fault, Finding
from grader.reports import feedback
from grader.scoring.points import points_by_opponent
from tests.exports.samples import ASSIGNMENT, exported_grade
from tests.matches import planned as fixtures
from tests.reports.html.pages import assignment, match, student


def render(grade, played=(), lang="en") -> str:
    return feedback.render(
        grade, played, language(lang), title="Hex", isolation="good", time=MatchTime(move=1), reveal=False
    )


@pytest.mark.parametrize(
    ("changes", "games"),
    [
        ({}, "2"),
        ({"games": 1, "skipped": 1}, "1, 1 not needed"),
        ({"unplayed": 3}, "2, 3 not played"),
        ({"repeats": 1}, "2, 1 repeated"),
    ],
)
def test_the_table_gives_the_number_of_games_and_what_is_special_about_them(changes, games):
    grade = exported_grade(outcomes=["won"] * 4).grade
    grade = replace(grade, parts=(replace(grade.parts[0], **changes),))

    row = next(line for line in render(grade).splitlines() if line.startswith("| random"))

    assert row.split("|")[-2].strip() == games


def test_the_games_of_a_player_that_could_not_be_loaded_were_not_played():
    planned = fixtures(ASSIGNMENT, "101")
    parts = points_by_opponent(ASSIGNMENT, planned, {}, unloadable=True)
    grade = replace(exported_grade().grade, score=0.0, status="graded", parts=parts, entry="solution.py:SmartPlayer")

    assert re.search(r"\| 0 / 10 +\| 0 +\| 0 +\| 0 +\| – +\| 2 not played: cannot be loaded +\|", render(grade))


def test_the_win_rate_is_given_with_its_interval():
    part = replace(
        exported_grade(outcomes=["won"] * 4).grade.parts[0], games=2, won=1, drawn=0, lost=1, interval=(0.0945, 0.9055)
    )

    text = render(replace(exported_grade().grade, parts=(part,)))

    assert "| 50 % (9–91 %) " in text


def test_games_lost_by_the_same_fault_are_one_entry():
    of = assignment(size=3)
    fault = Fault(ending=Ending.CRASH, text="It divided by zero.", help="Do not.", trace="solution.py:7 in play: 1 / 0")
    other = replace(fault, text="It divided by one.")
    played = student(
        of,
        match(of, ["a1", "b2"], fault=fault),
        match(of, ["a1"], fault=fault),
        match(of, ["a1", "b2"], fault=other),
    ).played

    text = render(exported_grade().grade, played)

    assert text.count("It divided by zero.") == 1
    assert "**Fix this first.** 2 of 3 games were lost by the same error. It divided by zero. Do not.\n" in text
    assert "- **2 games: exception.**\n  - rival: game 1" in text
    assert "- **1 game: exception.** It divided by one. Do not.\n  - `solution.py:7 in play: 1 / 0`\n" in text
    assert "  - rival: game 1 (moving first, 2 moves), game 2 (moving second, 1 move)\n" in text
    assert "- **1 game: exception.** It divided by one." in text


def test_the_finding_that_decided_the_grade_is_in_the_first_paragraph_and_not_repeated():
    finding = Finding(code="load_error", text="It cannot be read.", help="Fix it.", file="solution.py", line=7)
    grade = replace(exported_grade().grade, reason="It cannot be read.", findings=(finding, finding))

    text = render(grade)

    assert "points. solution.py:7: It cannot be read. Fix it." in text
    assert text.count("It cannot be read.") == 1
    assert "Findings" not in text


def test_equal_findings_are_listed_once():
    finding = Finding(code="prints", text="It prints.", help="Remove it.")

    text = render(replace(exported_grade().grade, findings=(finding, finding)))

    assert text.count("It prints.") == 1


def test_it_ends_with_the_isolation_level_and_does_not_contain_the_seed():
    *_, last = render(exported_grade().grade).splitlines()

    assert last == f"Graded with grader {__version__}, isolation level good."
