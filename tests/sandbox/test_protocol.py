"""The protocol between the grader and a player's process: valid messages survive, anything else is an error."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox.protocol import MAX_REPLY, MAX_TEXT, ProtocolError, clean, decode, encode, make_reproducible

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), JSON))
def test_a_message_survives_encoding_as_one_line(message):
    line = encode(message)

    assert line.count(b"\n") == 1
    assert decode(line) == message


@given(st.binary(max_size=300) | JSON.map(lambda value: json.dumps(value).encode()))
def test_decoding_raises_no_other_exception_than_a_protocol_error(line):
    with suppress(ProtocolError):
        assert isinstance(decode(line), dict)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"[" * 60_000, id="deeper than the stack"),
        pytest.param(b'{"a":' * 10_000 + b"1" + b"}" * 10_000, id="objects deeper than the stack"),
        pytest.param(b"1" * 60_000, id="a number of 60 000 digits"),
        pytest.param(b'{"move": ' + b"9" * 60_000 + b"}", id="a long number inside an object"),
        pytest.param(b"{}" + b" " * MAX_REPLY, id="too long"),
        pytest.param(b"\xff\xfe", id="half a byte order mark"),
        pytest.param(b'"\xed\xa0\x80"', id="a surrogate in bytes"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_invalid_lines_are_protocol_errors(line):
    with pytest.raises(ProtocolError):
        decode(line)


@given(st.text(alphabet=st.characters()) | st.integers() | st.none(), st.integers(0, 50))
def test_a_cleaned_text_is_short_printable_and_can_be_written(text, limit):
    cleaned = clean(text, limit)

    assert len(cleaned) <= limit + 1
    assert all(char == "\n" or char.isprintable() for char in cleaned)
    cleaned.encode("utf-8")


def test_cleaning_removes_control_characters_and_keeps_words():
    assert clean("\x1b[31mred\x1b[0m ñ 棋\tx") == "�[31mred�[0m ñ 棋�x"
    assert clean("\ud800") == "�"
    assert len(clean("x" * 10 * MAX_TEXT)) == MAX_TEXT + 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/tmp/grader-scratch-x1/files/ana/solution.py:3", "solution.py:3"),
        ("in /tmp/grader-scratch-x1/files/ana", "in ."),
        ("'/tmp/grader-scratch-x1/files/weights.json'", "'../weights.json'"),
        ("'/tmp/grader-scratch-x1/weights.json'", "'../../weights.json'"),
        ("'/tmp/weights.json'", "'/tmp/weights.json'"),
        ("<object at 0x7f00ba>", "<object>"),
    ],
)
def test_the_temporary_place_of_a_players_folder_is_removed(text, expected):
    assert make_reproducible(text, "/tmp/grader-scratch-x1/files/ana") == expected


def test_paths_around_a_folder_that_is_not_temporary_are_kept():
    assert make_reproducible("/home/ana/weights.json", "/home/ana/hex") == "/home/ana/weights.json"
