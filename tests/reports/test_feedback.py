"""What one student is told, and what nobody is."""

from dataclasses import replace

import pytest

from grader import __version__
from grader.language import language
from grader.reports import feedback
from tests.exports.samples import mark


def told(grade) -> str:
    return feedback.render(grade, (), language("en"), title="Hex", isolation="good", limit="1 s a move", reveal=False)


@pytest.mark.parametrize(
    ("changes", "games"),
    [
        ({}, "2"),
        ({"games": 1, "skipped": 1}, "1, 1 not needed"),
        ({"unplayed": 3}, "2, 3 not played"),
        ({"repeats": 1}, "2, 1 repeated"),
    ],
)
def test_the_games_that_count_are_numbered_whether_or_not_there_is_more_to_say_of_them(changes, games):
    grade = mark(outcomes=["won"] * 4).grade
    grade = replace(grade, parts=(replace(grade.parts[0], **changes),))

    row = next(line for line in told(grade).splitlines() if line.startswith("| random"))

    assert row.split("|")[-2].strip() == games


def test_it_ends_with_how_well_players_were_walled_in_and_without_the_seed():
    *_, last = told(mark().grade).splitlines()

    assert last == f"Graded by grader {__version__} at the isolation level good."
