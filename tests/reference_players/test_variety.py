"""Seeds and openings give the same results everywhere."""

import random

from hypothesis import given
from hypothesis import strategies as st

from reference_players.search.variety import Variety, shuffle


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
