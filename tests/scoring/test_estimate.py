"""The estimate of how long a run takes."""

import pytest

from grader.language import language
from grader.scoring.estimate import (
    START_SECONDS,
    duration,
    estimate,
    games_that_fit,
    reference_seconds,
    start_of_a_game,
)
from tests.matches import assignment
from tests.matches import planned as fixtures


def course(size: int = 11, **changes):
    opponents = ({"player": "random", "points": 5, "games": 4}, {"player": "mcts", "points": 5, "games": 4})
    return assignment(*opponents, options={"size": size}, time={"move": 9, "load": 30}, **changes)


def planned(of, *names: str):
    return [(of, fixture) for name in names for fixture in fixtures(of, name)]


def test_the_estimate_follows_from_measured_moves_and_is_divided_among_workers():
    games = planned(course(), "ana", "luis")
    slow, quick = (estimate(games, dict.fromkeys(("ana", "luis"), seconds), 1) for seconds in (4.0, 0.01))

    assert slow.games == quick.games == 16
    assert slow.expected > 20 * quick.expected
    assert estimate(games, {"ana": 4.0, "luis": 4.0}, 4).expected == pytest.approx(slow.expected / 4)


def test_an_unmeasured_player_is_expected_to_use_part_of_its_time_and_at_most_all_of_it():
    unknown = estimate(planned(course(), "ana"), {}, 1)

    assert estimate(planned(course(), "ana"), {"ana": 0.1}, 1).expected < unknown.expected < unknown.worst
    assert estimate(planned(course(), "ana"), {"ana": 99.0}, 1).expected < unknown.worst


def test_opponents_take_their_measured_time_and_less_on_a_small_board():
    large, small = course(), course(5)

    assert reference_seconds(large, "random") == 0 < reference_seconds(small, "mcts") < reference_seconds(large, "mcts")
    assert reference_seconds(large, "unknown") > 0


def test_a_budget_gives_an_even_number_of_games_that_are_expected_to_fit():
    games = planned(course(), "ana")
    seconds = estimate(games, {"ana": 1.0}, 1).expected

    assert games_that_fit(games, {"ana": 1.0}, 1, seconds) == 4
    assert games_that_fit(games, {"ana": 1.0}, 1, 0.9 * seconds) == 2
    assert games_that_fit(games, {"ana": 1.0}, 1, 0.1 * seconds) == 0


@pytest.mark.parametrize(
    ("seconds", "english", "spanish"),
    [
        (0.2, "1 s", "1 s"),
        (27.4, "27 s", "27 s"),
        (100, "1.7 min", "1,7 min"),
        (2136, "36 min", "36 min"),
        (9000, "2.5 h", "2,5 h"),
        (86_400, "24 h", "24 h"),
        (259_200, "3 days", "3 días"),
    ],
)
def test_a_duration_has_a_suitable_unit(seconds, english, spanish):
    text = duration(seconds)

    assert (language("en")(text), language("es")(text)) == (english, spanish)


def test_starting_players_takes_as_long_as_it_took_in_the_trials():
    assert start_of_a_game([]) == start_of_a_game([0.0, 0.0]) == START_SECONDS
    assert start_of_a_game([0.0, 1.0, 2.0, 30.0]) == 4.0

    quick, slow = (estimate(planned(course(), "ana"), {"ana": 0.1}, 1, start=start) for start in (1.0, 2.0))
    assert slow.expected == pytest.approx(quick.expected + slow.games)
