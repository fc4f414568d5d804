"""Scores follow from points exactly: scaled, less the late penalty, then rounded once."""

import pytest

from grader.scoring.points import points_by_opponent
from grader.scoring.totals import total_score
from tests.matches import assignment, planned, results

THIRDS = tuple({"player": name, "points": 3.25, "games": 6} for name in ("random", "minimax", "coolcow"))
DAY = 86_400


def total(course, outcomes, late_seconds=None):
    games = planned(course)
    parts = points_by_opponent(course, games, results(games, outcomes), unloadable=False)
    return total_score(course, parts, late_seconds)


@pytest.mark.parametrize(
    ("step", "outcomes", "score"),
    [
        pytest.param(0.1, "wwdlllllll", 2.5, id="on a step"),
        pytest.param(0.5, "wwdlllllll", 2.5, id="on a half"),
        pytest.param(1, "wwdlllllll", 3, id="half a step goes up"),
        pytest.param(1, "wwlllllldl", 3, id="in any order"),
        pytest.param(1, "wwllllllll", 2, id="already whole"),
        pytest.param(3, "wwwwwwwwww", 10, id="all points are the maximum whatever the step"),
        pytest.param(7, "wwwwwwwwwd", 7, id="never above the maximum"),
        pytest.param(0.3, "wlllllllll", 0.9, id="no binary fractions"),
    ],
)
def test_scores_are_rounded_to_the_nearest_step(step, outcomes, score):
    course = assignment({"player": "random", "points": 10, "games": 10}, round=step)

    assert repr(total(course, outcomes).score) == repr(float(score))


def test_thirds_add_up_to_the_half_that_is_rounded_up():
    lost_all_but_two = "wwllll" * 3  # 3 × 1.08333… = 3.25, although the points shown add up to 3.2499

    found = total(assignment(*THIRDS, round=0.1), lost_all_but_two)

    assert (found.score, found.unrounded) == (3.3, 3.25)
    assert total(assignment(*THIRDS), lost_all_but_two).score == 3.2499  # as in results without rounding


def test_points_are_scaled_to_the_maximum():
    course = assignment(
        {"player": "random", "points": 10, "games": 4}, {"player": "minimax", "points": 20, "games": 4}, maximum=10
    )

    assert (course.max_score, total(course, "wwwwwwll").score) == (10, 6.6667)
    assert total(course, "wwwwwwww").score == 10


def test_the_late_penalty_is_deducted_before_rounding():
    course = assignment(maximum=10, round=0.5, late={"percent_per_day": 15})

    found = total(course, "wwwl", late_seconds=DAY)

    assert (found.unrounded, found.penalty, found.score) == (6.375, 1.125, 6.5)


def test_without_new_fields_scores_stay_as_they_were():
    found = total(assignment(late={"percent_per_day": 15}), "wwwl", late_seconds=DAY)

    assert (found.unrounded, found.penalty, found.score) == (None, 1.125, 6.375)


def test_points_of_opponents_add_up_exactly():
    course = assignment(*({"player": name, "points": points} for name, points in (("random", 0.1), ("minimax", 0.2))))

    assert course.max_score == 0.3
