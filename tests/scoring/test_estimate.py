"""How long a run is said to take."""

import pytest

from grader.scoring.estimate import estimate, games_that_fit, reference_seconds
from tests.matches import assignment
from tests.matches import planned as fixtures


def course(size: int = 11, **changes):
    opponents = ({"player": "random", "points": 5, "games": 4}, {"player": "mcts", "points": 5, "games": 4})
    return assignment(*opponents, options={"size": size}, time={"move": 9, "load": 30}, **changes)


def planned(of, *names: str):
    return [(of, fixture) for name in names for fixture in fixtures(of, name)]


def test_it_follows_from_the_players_first_moves_and_is_shared_among_workers():
    games = planned(course(), "ana", "luis")
    slow, quick = (estimate(games, dict.fromkeys(("ana", "luis"), seconds), 1) for seconds in (4.0, 0.01))

    assert slow.games == quick.games == 16
    assert slow.expected > 20 * quick.expected
    assert estimate(games, {"ana": 4.0, "luis": 4.0}, 4).expected == pytest.approx(slow.expected / 4)


def test_who_is_not_known_yet_is_expected_to_use_a_part_of_its_time_and_at_worst_all_of_it():
    unknown = estimate(planned(course(), "ana"), {}, 1)

    assert estimate(planned(course(), "ana"), {"ana": 0.1}, 1).expected < unknown.expected < unknown.worst
    assert estimate(planned(course(), "ana"), {"ana": 99.0}, 1).expected < unknown.worst


def test_opponents_take_what_was_measured_of_them_and_less_on_a_small_board():
    large, small = course(), course(5)

    assert reference_seconds(large, "random") == 0 < reference_seconds(small, "mcts") < reference_seconds(large, "mcts")
    assert reference_seconds(large, "of a later time") > 0


def test_as_many_games_fit_into_a_budget_as_are_expected_to_and_an_even_number():
    games = planned(course(), "ana")
    whole = estimate(games, {"ana": 1.0}, 1).expected

    assert games_that_fit(games, {"ana": 1.0}, 1, whole) == 4
    assert games_that_fit(games, {"ana": 1.0}, 1, 0.9 * whole) == 2
    assert games_that_fit(games, {"ana": 1.0}, 1, 0.1 * whole) == 0
