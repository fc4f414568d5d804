"""Seeds and openings give the same results everywhere, and different games."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.games.desconecta4 import Desconecta4
from grader.games.hex import Hex
from reference_players.search.variety import Variety, shuffle
from tests.bench.variety import Meeting, moves_of, possible_games


@given(st.lists(st.integers()), st.integers())
def test_a_shuffled_list_has_the_same_entries(entries, seed):
    assert sorted(shuffle(entries, random.Random(seed))) == sorted(entries)


@given(st.integers(1, 20), st.integers())
def test_openings_use_the_whole_list_before_an_entry_repeats(length, seed):
    picked = [Variety(seed, opening).pick(range(length)) for opening in range(2 * length)]

    assert sorted(picked[:length]) == list(range(length))
    assert picked[:length] == picked[length:]


def test_seed_opening_and_ply_each_make_a_difference():
    numbers = [
        Variety(seed, opening).generator(ply).random() for seed in (None, 0, 1) for opening in (0, 1) for ply in (0, 1)
    ]

    assert len(set(numbers)) == len(numbers)


def test_the_numbers_are_the_same_on_every_python():
    assert Variety(7, 2).generator(5).getrandbits(64) == 6_346_997_432_590_285_076
    assert shuffle(range(8), random.Random("7")) == [2, 0, 4, 3, 1, 7, 6, 5]


def test_a_choice_reaches_every_entry_and_is_the_first_without_a_seed():
    chosen = [Variety(7, opening).choose("abc", ply) for opening in range(20) for ply in range(3)]

    assert set(chosen) == set("abc")
    assert chosen == [Variety(7, opening).choose("abc", ply) for opening in range(20) for ply in range(3)]
    assert Variety(None, 3).choose("abc", 5) == Variety(7, 3, "none").choose("abc", 5) == "a"


def test_an_unknown_kind_of_variety_is_refused():
    with pytest.raises(ValueError, match="variety must be 'seeded' or 'none', not 'some'"):
        Variety(1, 0, "some")


RUNGS = {
    "random": (Hex(), ("random", {})),
    "minimax": (Hex(), ("minimax", {})),
    "coolcow": (Hex(), ("coolcow", {"depth": 1})),
    "mcts": (Hex(), ("mcts", {"simulations": 60})),
    "ultrapro": (Hex(), ("ultrapro", {"fills": 64, "floods": 60})),
    "alphabeta": (Desconecta4(), ("alphabeta", {"depth": 2})),
}


@pytest.mark.parametrize("name", RUNGS)
def test_a_player_without_chance_meets_different_games(name):
    game, rung = RUNGS[name]
    lines = [moves_of(Meeting(game, rung, 1 + seed % 2, seed)) for seed in range(16)]

    assert len(set(lines)) == 16


@pytest.mark.parametrize("name", [name for name in RUNGS if name != "random"])
def test_without_variety_the_seed_changes_nothing(name):
    game, (player, options) = RUNGS[name]
    same = {moves_of(Meeting(game, (player, {**options, "variety": "none"}), 1, seed)) for seed in range(2)}

    assert len(same) == 1


def test_the_number_of_possible_games_is_estimated_from_the_repeats():
    rng = random.Random(1)
    few, many = ([(int(rng.random() * number),) for _ in range(200)] for number in (50, 10**9))

    assert 35 < possible_games(few) < 50
    assert possible_games(many) == pytest.approx(200 * 199 / 2 / 3, rel=0.02)
