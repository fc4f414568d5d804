"""What may come out of bytes that nobody wrote."""

import unicodedata

_STEERING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Kinds of signs that move a cursor, turn a text around, break a line, or are none."""


def is_plain(text: str) -> None:
    """A terminal shows it, and is steered by nothing in it."""
    assert not [char for char in text if char != "\n" and unicodedata.category(char) in _STEERING], repr(text)


def is_clear(error: Exception) -> None:
    """An error says something, in lines that a terminal can show."""
    assert str(error)
    is_plain(str(error))
