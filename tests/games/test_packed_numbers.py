"""Numbers as a short text. That the pages read it is tested in tests/reports/html/test_compact.py."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import RecordError
from grader.games import make_game
from grader.games.packed_numbers import LAST, SIGNS, pack_numbers
from grader.reports.html import embed_json


@given(st.lists(st.integers(0, 10**12)))
def test_a_text_has_the_numbers_one_after_the_other(numbers):
    assert read_back(pack_numbers(numbers)) == numbers


def read_back(text):
    """The numbers of a text, read by the definition."""
    found, rest = [], 0
    for sign in text:
        digit = SIGNS.index(sign)
        if digit < LAST:
            found.append(rest * LAST + digit)
            rest = 0
        else:
            rest = rest * (len(SIGNS) - LAST) + digit - LAST
    return found


@pytest.mark.parametrize(
    ("number", "signs"), [(0, 1), (75, 1), (76, 2), (1063, 2), (1064, 3), (14_895, 3), (14_896, 4)]
)
def test_small_numbers_are_short(number, signs):
    assert len(pack_numbers([number])) == signs


def test_no_sign_needs_an_escape():
    assert len({*SIGNS}) == len(SIGNS) == 90
    assert embed_json(SIGNS) == json.dumps(SIGNS) == f'"{SIGNS}"'


@pytest.mark.parametrize("move", ["", "d1", "a4", "a0", "a01", "B", "1a", "a" * 1_000])
def test_what_is_not_a_cell_of_the_board_cannot_be_packed(move):
    with pytest.raises(RecordError, match="invalid move"):
        make_game("hex", {"size": 3}).packed_moves(["a1", move])
