"""Plain values are unchanged by conversion to JSON and text and back."""

import enum
import json
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.games import codec


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True)
class Drop:
    column: int
    colour: Colour | None = None


class Cell(NamedTuple):
    row: int
    col: int


@dataclass
class Loose:
    value: int


CLASSES = {"Colour": Colour, "Drop": Drop, "Cell": Cell, "Loose": Loose}

leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=12)
    | st.sampled_from(Colour)
    | st.builds(Cell, st.integers(), st.integers())
    | st.builds(Drop, st.integers(), st.none() | st.sampled_from(Colour))
)
plain = st.recursive(leaves, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=12)


@given(plain)
def test_a_plain_value_is_unchanged_by_json(value):
    assert codec.from_json(json.loads(json.dumps(codec.to_json(value))), CLASSES) == value


@given(plain)
def test_a_plain_value_is_unchanged_by_text_which_has_no_spaces(value):
    text = codec.to_text(value)

    assert " " not in text
    assert codec.from_text(text, CLASSES) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        ((2, 5), "2,5"),
        ((7,), "7,"),
        ((), "()"),
        ("e2e4", "e2e4"),
        ("12", '"12"'),
        (Drop(3), "Drop(3,None)"),
        (Cell(1, 2), "Cell(1,2)"),
        (((1, 2), (3, 4)), "(1,2),(3,4)"),
        (Colour.RED, "Colour(RED)"),
        (frozenset({2, 1}), "frozenset(1,2)"),
    ],
)
def test_text_is_what_a_person_would_type(value, text):
    assert codec.to_text(value) == text
    assert codec.from_text(text, CLASSES) == value


@pytest.mark.parametrize("value", [[1], {1: 2}, Loose(1), object, {1}, b"x"], ids=repr)
def test_mutable_and_unknown_values_are_not_plain(value: Any):
    with pytest.raises(codec.NotPlain):
        codec.to_json(value)


@pytest.mark.parametrize("text", ["", "(", "(1", "1)", "1 2", "Unknown(1)", "Drop(", '"open', "(" * 100, "@"])
def test_invalid_text_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011  whatever it says, a game puts it into its own words
        codec.from_text(text, CLASSES)


@pytest.mark.parametrize("data", [{"class": "os.system", "values": ["true"]}, {"class": "Drop"}, {"a": 1}])
def test_json_creates_only_instances_of_the_games_own_classes(data):
    with pytest.raises(ValueError):  # noqa: PT011
        codec.from_json(data, CLASSES)
