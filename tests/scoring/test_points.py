"""Grades follow from results in the order of the fixtures."""

import pytest

from grader.records import Ending, Fault
from grader.scoring.points import (
    ending_counts,
    ending_counts_by_result,
    game_disqualification,
    needed_fixtures,
    points_by_opponent,
    wilson_interval,
)
from tests.matches import assignment, planned, record, results

TIMEOUT = Fault(ending=Ending.TIMEOUT, text="Too slow.", help="Be faster.")


def points(course, outcomes: str, unloadable: bool = False) -> list[float]:
    games = planned(course)
    return [part.points for part in points_by_opponent(course, games, results(games, outcomes), unloadable)]


@pytest.mark.parametrize(
    ("outcomes", "expected"), [("wwww", 10), ("wwll", 5), ("wdll", 3.75), ("llll", 0), ("dddd", 5)]
)
def test_points_are_linear_in_the_win_rate(outcomes, expected):
    assert points(assignment(), outcomes) == [expected]


def test_a_linear_scale_can_start_above_0_and_end_below_1():
    course = assignment(
        {"player": "random", "points": 10, "games": 4, "scoring": {"linear": {"from": 0.25, "to": 0.75}}}
    )

    assert [points(course, outcomes)[0] for outcomes in ("llll", "wlll", "wwll", "wwwl", "wwww")] == [0, 0, 5, 10, 10]


def test_a_threshold_gives_all_or_nothing_and_stops_when_it_is_decided():
    course = assignment({"player": "random", "points": 2.5, "games": 6, "scoring": {"threshold": {"wins": 4}}})
    games = planned(course)

    assert points(course, "wwww..") == [2.5]
    assert points(course, "lllwww") == [0]
    assert len(needed_fixtures(course, games, results(games, "wwww.."))) == 4
    assert len(needed_fixtures(course, games, results(games, "lll..."))) == 3
    assert len(needed_fixtures(course, games, results(games, "llw..."))) == 6


def test_games_after_the_points_are_decided_do_not_count():
    course = assignment({"player": "random", "points": 2.5, "games": 6, "scoring": {"threshold": {"wins": 4}}})
    games = planned(course)
    (part,) = points_by_opponent(course, games, results(games, "wwwwll"), unloadable=False)

    assert (part.won, part.lost, part.skipped) == (4, 0, 2)


LADDER = (
    {"player": "random", "points": 2, "games": 2},
    {"player": "minimax", "points": 4, "games": 2},
    {"player": "coolcow", "points": 6, "games": 2},
)


def test_games_that_are_missing_are_not_counted_as_skipped():
    course = assignment({"player": "random", "points": 2.5, "games": 6})
    games = planned(course)
    (part,) = points_by_opponent(course, games, results(games, "wl...."), unloadable=False)

    assert (part.games, part.skipped, part.unplayed) == (2, 0, 4)


def test_waiting_rungs_are_not_skipped_and_an_unloadable_player_plays_no_games():
    course = assignment(*LADDER, scoring="ladder")
    games = planned(course)

    def counted(outcomes, *, unloadable=False):
        found = points_by_opponent(course, games, results(games, outcomes), unloadable=unloadable)
        return [(part.games, part.skipped, part.unplayed) for part in found]

    assert counted("......") == [(0, 0, 2)] * 3
    assert counted("w.....") == [(1, 0, 1), (0, 0, 2), (0, 0, 2)]
    assert counted("l.....") == [(1, 1, 0), (0, 2, 0), (0, 2, 0)]
    assert counted("......", unloadable=True) == [(0, 0, 2)] * 3


def test_a_missing_result_decides_nothing():
    course = assignment({"player": "random", "points": 2.5, "games": 6, "scoring": {"threshold": {"wins": 4}}})
    games = planned(course)

    assert len(needed_fixtures(course, games, results(games, "www.ww"))) == 6


@pytest.mark.parametrize(
    ("outcomes", "expected", "played"),
    [
        pytest.param("wwwwww", [2, 4, 6], 6, id="to the top"),
        pytest.param("wwwl..", [2, 2, 0], 4, id="stopped as second player against the second"),
        pytest.param("l.....", [0, 0, 0], 1, id="stopped at once"),
        pytest.param("wd....", [1, 0, 0], 2, id="a draw is not enough"),
    ],
)
def test_a_ladder_is_climbed_rung_by_rung(outcomes, expected, played):
    course = assignment(*LADDER, scoring="ladder")
    games = planned(course)

    assert points(course, outcomes) == expected
    assert len(needed_fixtures(course, games, results(games, outcomes))) == played


def test_the_next_rung_waits_for_the_one_before():
    course = assignment(*LADDER, scoring="ladder")
    games = planned(course)

    assert [len(needed_fixtures(course, games, results(games, known))) for known in ("", "w", "ww", "www")] == [
        1,
        2,
        3,
        4,
    ]


def test_a_player_that_cannot_be_loaded_gets_no_points_and_has_lost_no_game():
    course = assignment()
    (part,) = points_by_opponent(course, planned(course), {}, unloadable=True)

    assert (part.points, part.won, part.lost, part.games, part.unplayed) == (0, 0, 0, 0, 4)


def test_unused_time_gives_points_if_the_assignment_says_so():
    course = assignment(time={"move": 1.0}, speed_share=0.25)
    games = planned(course)
    played = {game.key: record(game.seat, moves="a1 b1", seconds=0.2) for game in games}
    (part,) = points_by_opponent(course, games, played, unloadable=False)

    assert part.points == pytest.approx(10 * (0.75 + 0.25 * 0.8))


def test_a_fault_or_late_move_gives_no_points_for_speed():
    course = assignment(time={"bank": 10, "increment": 1}, speed_share=0.5)
    games = planned(course)
    failed = {game.key: record(1 - game.seat, fault=TIMEOUT, at_fault=game.seat, seconds=0.0) for game in games}
    (part,) = points_by_opponent(course, games, failed, unloadable=False)

    assert part.points == 0


def test_games_that_repeat_another_do_not_narrow_the_interval():
    course = assignment()
    games = planned(course)
    same = {game.key: record(game.seat, moves="a1 b1") for game in games}
    (repeated,) = points_by_opponent(course, games, same, unloadable=False)
    (varied,) = points_by_opponent(course, games, results(games, "wwww"), unloadable=False)

    assert (repeated.repeats, varied.repeats) == (2, 0)
    assert repeated.interval[0] < varied.interval[0]
    assert repeated.points == varied.points


def test_running_out_of_time_disqualifies_only_that_player_and_only_if_the_assignment_says_so():
    course = assignment(overrun="disqualify")
    games = planned(course)
    own = {games[0].key: record(1, fault=TIMEOUT, at_fault=0)}
    other = {games[0].key: record(0, fault=TIMEOUT, at_fault=1)}

    assert game_disqualification(course, games, own) == "The player ran out of time in a game. Too slow."
    assert len(needed_fixtures(course, games, own)) == 1
    assert game_disqualification(course, games, other) == ""
    assert (
        game_disqualification(assignment(), planned(assignment()), {planned(assignment())[0].key: own[games[0].key]})
        == ""
    )


def test_losing_to_a_certain_opponent_can_disqualify():
    course = assignment({"player": "random", "points": 10, "games": 2, "disqualify_on_loss": True})
    games = planned(course)

    assert "any loss disqualifies" in game_disqualification(course, games, results(games, "wl"))
    assert game_disqualification(course, games, results(games, "wd")) == ""


def test_endings_are_counted_in_a_stable_order():
    games = planned(assignment())
    found = results(games, "wwl.")
    found[games[2].key] = record(1, fault=TIMEOUT, at_fault=0)

    assert list(ending_counts(games, found).items()) == [("connected", 2), ("timeout", 1)]


def test_endings_are_counted_by_result_with_the_most_frequent_first():
    games = planned(assignment())
    found = results(games, "wlll")
    found[games[1].key] = record(1 - games[1].seat, fault=TIMEOUT, at_fault=games[1].seat)

    counts = ending_counts_by_result(games, found)
    assert counts == {"won": {"connected": 1}, "lost": {"connected": 2, "timeout": 1}}
    assert list(counts["lost"]) == ["connected", "timeout"]
    assert ending_counts_by_result(games, {}) == {}


@pytest.mark.parametrize(
    ("won", "games", "expected"),
    [(0, 0, (0.0, 1.0)), (0, 10, (0.0, 0.2775)), (5, 10, (0.2366, 0.7634)), (10, 10, (0.7225, 1.0))],
)
def test_wilson_intervals_match_the_textbook(won, games, expected):
    assert wilson_interval(won, games) == pytest.approx(expected, abs=1e-4)
