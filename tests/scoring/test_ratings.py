"""Ratings from simulated games with known strengths, and properties of all ratings."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.scoring.bradley_terry import Ratings
from grader.scoring.ratings import ORIGIN, SCALE, RatedGame, Rating, expected_share


def rated(ratings: Ratings, player: str) -> Rating:
    """The rating of a player with games."""
    rating = ratings.rating(player)
    assert rating is not None
    return rating


def chance(ratings: Ratings, one: str, other: str) -> float:
    """The probability that one player is stronger than another."""
    probability = ratings.probability_stronger(one, other)
    assert probability is not None
    return probability


def simulated(random, strengths, *, games, first_move=0.0, drawn=0.0, met=1.0):
    """The games of a class, with both sides for every pair that meets. `drawn` is the share of draws."""
    results = []
    for one, other in itertools.combinations(range(len(strengths)), 2):
        if random.random() >= met:
            continue
        for first, second in ((one, other), (other, one)) * (games // 2):
            chance = expected_share(SCALE * (strengths[first] - strengths[second] + first_move))
            draw = min(drawn, 2 * chance, 2 * (1 - chance))
            lot = random.random()
            score = 0.5 if lot < draw else float(lot < draw + chance - draw / 2)
            results.append(RatedGame(f"p{first}", f"p{second}", score))
    return results


def coverage(players: int, spread: float, terms: dict[str, Any]) -> tuple[float, float]:
    """The share of intervals that contain the true strength, and that contain the true worth of the first move."""
    random = np.random.default_rng(20)
    inside, first_inside = [], []
    for _ in range(1500 // players):
        strengths = random.normal(0.0, spread, players)
        strengths -= strengths.mean()
        ratings = Ratings([f"p{at}" for at in range(players)], simulated(random, strengths, first_move=0.4, **terms))
        if len(ratings.groups) == 1:
            for at, strength in enumerate(strengths):
                rating = rated(ratings, f"p{at}")
                inside.append(rating.low <= ORIGIN + SCALE * strength <= rating.high)
            first_inside.append(ratings.first_move.low <= SCALE * 0.4 <= ratings.first_move.high)
    assert len(inside) > 1200
    return sum(inside) / len(inside), sum(first_inside) / len(first_inside)


@pytest.mark.parametrize(
    ("players", "terms"),
    [
        pytest.param(8, {"games": 2}, id="a small class"),
        pytest.param(8, {"games": 6}, id="more games"),
        pytest.param(20, {"games": 2}, id="a class"),
        pytest.param(24, {"games": 2, "met": 0.3}, id="few of the pairs, as in a Swiss tournament"),
    ],
)
def test_intervals_contain_the_true_value_about_as_often_as_they_should(players, terms):
    inside, first_inside = coverage(players, 1.2, terms)

    # Chance alone changes the share by half a percent. The virtual draw pulls all players towards the middle, which makes
    # intervals slightly worse at the ends and slightly better elsewhere.
    assert 0.935 <= inside <= 0.975
    assert 0.90 <= first_inside <= 0.99


def test_a_player_that_always_wins_may_be_stronger_than_its_interval():
    inside, _ = coverage(8, 3.0, {"games": 2})

    assert 0.84 <= inside <= 0.93


def test_draws_make_intervals_too_wide_and_never_too_narrow():
    random = np.random.default_rng(3)
    inside = total = 0
    for _ in range(60):
        strengths = random.normal(0.0, 0.7, 10)
        strengths -= strengths.mean()
        ratings = Ratings([f"p{at}" for at in range(10)], simulated(random, strengths, games=4, drawn=0.4))
        for at, strength in enumerate(strengths):
            rating = rated(ratings, f"p{at}")
            inside += rating.low <= ORIGIN + SCALE * strength <= rating.high
            total += 1

    assert inside / total >= 0.95


def test_the_probability_of_being_stronger_is_calibrated():
    random = np.random.default_rng(7)
    hits: dict[int, list[bool]] = {}
    for _ in range(100):
        strengths = random.normal(0.0, 1.2, 12)
        ratings = Ratings([f"p{at}" for at in range(12)], simulated(random, strengths, games=2))
        for one, other in itertools.combinations(range(12), 2):
            probability = chance(ratings, f"p{one}", f"p{other}")
            hits.setdefault(round(probability * 10), []).append(strengths[one] > strengths[other])

    for tenths, right in hits.items():
        assert sum(right) / len(right) == pytest.approx(tenths / 10, abs=0.09)


def test_a_player_that_wins_or_loses_all_games_has_a_finite_rating():
    results = [RatedGame(one, other, 1.0) for one, other in (("a", "b"), ("a", "c"), ("b", "c"))]
    results += [RatedGame(result.second, result.first, 0.0) for result in results]
    ratings = Ratings("abc", results)
    a, b, c = (rated(ratings, player) for player in "abc")

    assert math.inf > a.value > b.value > c.value > -math.inf
    assert a.high - a.low > b.high - b.low  # it could be much stronger still


def test_if_the_first_player_always_wins_both_are_equal():
    ratings = Ratings("ab", [RatedGame("a", "b", 1.0), RatedGame("b", "a", 1.0)] * 10)

    assert rated(ratings, "a").value == pytest.approx(ORIGIN)
    assert chance(ratings, "a", "b") == pytest.approx(0.5)
    assert ratings.first_move.low > 0
    assert math.isfinite(ratings.first_move.high)


def test_ten_to_one_is_four_hundred_points():
    assert expected_share(400) == pytest.approx(10 / 11)
    ratings = Ratings("ab", [RatedGame("a", "b", 10 / 11, 5000), RatedGame("b", "a", 1 / 11, 5000)])

    assert rated(ratings, "a").value - rated(ratings, "b").value == pytest.approx(400, abs=1)


def test_players_that_no_games_connect_are_not_compared():
    ratings = Ratings(
        "abcde",
        [RatedGame("a", "b", 1.0), RatedGame("b", "a", 0.0), RatedGame("c", "d", 0.5), RatedGame("d", "c", 0.5)],
    )

    assert ratings.groups == (("a", "b"), ("c", "d"), ("e",))
    assert ratings.probability_stronger("a", "c") is None
    assert chance(ratings, "a", "b") > 0.5
    assert rated(ratings, "c").value == pytest.approx(ORIGIN)
    assert ratings.rating("e") is None


def test_an_anchor_shifts_all_ratings_and_changes_no_width():
    results = [RatedGame("a", "b", 1.0), RatedGame("b", "c", 1.0), RatedGame("c", "a", 0.5), RatedGame("a", "c", 1.0)]
    free, tied = Ratings("abc", results), Ratings("abc", results, anchor="c")

    assert rated(tied, "c").value == pytest.approx(ORIGIN)
    for player in "abc":
        one, other = rated(free, player), rated(tied, player)
        assert other.high - other.low == pytest.approx(one.high - one.low)
        assert other.value - one.value == pytest.approx(ORIGIN - rated(free, "c").value)


def test_no_players_and_no_games_can_be_rated():
    assert Ratings([], []).groups == ()
    assert Ratings(["a"], []).rating("a") is None


PLAYERS = "abcdef"
GAMES = st.lists(
    st.tuples(st.permutations(PLAYERS), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.25, 0.5, 1.0])).map(
        lambda drawn: RatedGame(drawn[0][0], drawn[0][1], drawn[1], drawn[2])
    ),
    max_size=40,
)


@settings(max_examples=20, deadline=None)
@given(GAMES, st.randoms(use_true_random=False))
def test_the_order_of_the_games_changes_no_digit(results, random):
    shuffled = list(results)
    random.shuffle(shuffled)
    one, other = Ratings(PLAYERS, results), Ratings(PLAYERS[::-1], shuffled)

    assert [one.rating(player) for player in PLAYERS] == [other.rating(player) for player in PLAYERS]


@settings(max_examples=20, deadline=None)
@given(GAMES)
def test_the_names_of_the_players_do_not_matter(results):
    renamed = dict(zip(PLAYERS, "fbdace", strict=True))
    other = Ratings(PLAYERS, [RatedGame(renamed[r.first], renamed[r.second], r.score, r.weight) for r in results])
    one = Ratings(PLAYERS, results)

    for player in PLAYERS:
        mine, theirs = one.rating(player), other.rating(renamed[player])
        assert (mine is None) == (theirs is None)
        if mine is not None and theirs is not None:
            assert theirs.value == pytest.approx(mine.value)
            assert theirs.low == pytest.approx(mine.low)


@settings(max_examples=20, deadline=None)
@given(GAMES)
def test_players_with_the_same_results_have_the_same_rating(results):
    mirror = {**{player: player for player in PLAYERS}, "a": "b", "b": "a"}
    both = results + [RatedGame(mirror[r.first], mirror[r.second], r.score, r.weight) for r in results]
    ratings = Ratings(PLAYERS, both)

    if ratings.are_connected("a", "b"):
        assert rated(ratings, "a").value == pytest.approx(rated(ratings, "b").value)
        assert chance(ratings, "a", "b") == pytest.approx(0.5)


@settings(max_examples=20, deadline=None)
@given(GAMES)
def test_the_probabilities_of_two_players_add_up_and_follow_their_ratings(results):
    ratings = Ratings(PLAYERS, results)
    for one, other in itertools.combinations(PLAYERS, 2):
        if ratings.are_connected(one, other):
            assert chance(ratings, one, other) + chance(ratings, other, one) == pytest.approx(1.0)
            lead = rated(ratings, one).value - rated(ratings, other).value
            assert lead * (chance(ratings, one, other) - 0.5) >= -1e-9


@settings(max_examples=20, deadline=None)
@given(GAMES.filter(bool))
def test_more_of_the_same_games_narrow_every_interval(results):
    even = results + [RatedGame(r.first, r.second, 1 - r.score, r.weight) for r in results]
    once, often = Ratings(PLAYERS, even), Ratings(PLAYERS, even * 10)
    for player in PLAYERS:
        one, other = once.rating(player), often.rating(player)
        if one is not None and other is not None:
            assert other.high - other.low < one.high - one.low
