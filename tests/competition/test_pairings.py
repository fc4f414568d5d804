"""The pairings of round robins and Swiss tournaments."""

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.competition.pairings import all_pairs, swiss_round

EIGHT = [f"s{number}" for number in range(8)]


def swiss_rounds(players: list[str], rounds: int, seed: int = 0):
    """The rounds of a Swiss tournament in which the player whose name sorts first always wins."""
    points = dict.fromkeys(players, 0.0)
    met: Counter[frozenset[str]] = Counter()
    byes = dict.fromkeys(players, 0)
    found = []
    for number in range(1, rounds + 1):
        paired = swiss_round(number, points, met, byes, seed)
        found.append(paired)
        met.update(frozenset(pair) for pair in paired.pairs)
        for pair in paired.pairs:
            points[min(pair)] += 2
        if paired.bye:
            points[paired.bye] += 2
            byes[paired.bye] += 1
    return found


def test_a_round_robin_has_every_pair_once_in_an_order_from_the_seed():
    pairs = all_pairs(EIGHT, 1)

    assert {frozenset(pair) for pair in pairs} == {frozenset(pair) for pair in itertools.combinations(EIGHT, 2)}
    assert len(pairs) == 28
    assert pairs == all_pairs(EIGHT[::-1], 1)
    assert pairs != all_pairs(EIGHT, 2)


def test_a_round_pairs_players_with_about_equal_points():
    points = {player: float(at // 2) for at, player in enumerate(EIGHT)}

    assert {frozenset(pair) for pair in swiss_round(3, points, {}, {}, 0).pairs} == {
        frozenset(EIGHT[at : at + 2]) for at in range(0, 8, 2)
    }


def test_the_bye_goes_to_the_last_player_without_one():
    points = {"a": 6.0, "b": 4.0, "c": 2.0, "d": 1.0, "e": 0.0}

    assert swiss_round(4, points, {}, {}, 0).bye == "e"
    assert swiss_round(4, points, {}, {"e": 1, "d": 1}, 0).bye == "c"


def test_a_rematch_is_the_last_resort():
    rounds = swiss_rounds(EIGHT[:6], 7)
    pairs = [frozenset(pair) for paired in rounds[:3] for pair in paired.pairs]

    assert len(set(pairs)) == len(pairs)
    assert all(len(paired.pairs) == 3 for paired in rounds)


def test_unavoidable_rematches_are_as_few_as_possible():
    points = {player: float(8 - at) for at, player in enumerate("abcdefgh")}
    # Pairs that have not met form a ring of three and a ring of five, which allow one and two new pairs.
    fresh = {frozenset(pair) for pair in ("ab", "bc", "ca", "de", "ef", "fg", "gh", "hd")}
    met = dict.fromkeys({frozenset(pair) for pair in itertools.combinations(points, 2)} - fresh, 1)

    pairs = {frozenset(pair) for pair in swiss_round(6, points, met, {}, 0).pairs}

    assert len(pairs & fresh) == 3


def test_a_rematch_is_avoided_even_if_the_leader_has_to_meet_the_last():
    points = {"a": 6.0, "b": 4.0, "c": 2.0, "d": 0.0}
    met = {frozenset(pair): 1 for pair in ("ab", "ac", "bc", "cd", "bd")}

    with_rematch = swiss_round(6, points, met, {}, 0)
    assert {frozenset(pair) for pair in swiss_round(3, points, {**met, frozenset("bc"): 0}, {}, 0).pairs} == {
        frozenset("ad"),
        frozenset("bc"),
    }
    assert len(with_rematch.pairs) == 2


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 30), st.integers(1, 8), st.integers(0, 99))
def test_in_every_round_each_player_plays_once_and_byes_rotate(count, rounds, seed):
    players = [f"s{number:02}" for number in range(count)]
    found = swiss_rounds(players, rounds, seed)

    for paired in found:
        placed = [*itertools.chain(*paired.pairs), *([paired.bye] if paired.bye else [])]
        assert sorted(placed) == players
    byes = [paired.bye for paired in found if paired.bye]
    assert len(byes) == (rounds if count % 2 else 0)
    if rounds <= count // 2:  # then a round without a rematch is always possible
        pairs = [frozenset(pair) for paired in found for pair in paired.pairs]
        assert len(set(pairs)) == len(pairs)
        assert len(set(byes)) == len(byes)


def test_when_all_have_met_the_rarest_pairs_meet_again():
    met = Counter(frozenset(pair) for paired in swiss_rounds(EIGHT[:6], 15) for pair in paired.pairs)

    assert set(met.values()) == {3}


def test_a_larger_class_has_few_rematches_before_all_have_met():
    met = Counter(
        frozenset(pair) for paired in swiss_rounds([f"s{at:02}" for at in range(30)], 29) for pair in paired.pairs
    )

    assert max(met.values()) <= 2
    assert len(met) > 400  # of 435 pairs


def test_a_field_of_thousands_is_paired():
    assert len(swiss_rounds([f"s{number:04}" for number in range(3000)], 1)[0].pairs) == 1500


@pytest.mark.parametrize("count", [60, 151])
def test_a_large_class_is_paired_without_rematches(count):
    players = [f"s{number:03}" for number in range(count)]
    pairs = [frozenset(pair) for paired in swiss_rounds(players, 12) for pair in paired.pairs]

    assert len(set(pairs)) == len(pairs) == 12 * (count // 2)
