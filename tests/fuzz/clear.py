"""Checks for texts made from untrusted bytes."""

import unicodedata

_CONTROL_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that can control a terminal, change the direction of text or break lines."""


def is_plain(text: str) -> None:
    """Assert that a text contains nothing that could control a terminal."""
    assert not [char for char in text if char != "\n" and unicodedata.category(char) in _CONTROL_CATEGORIES], repr(text)


def is_clear(error: Exception) -> None:
    """Assert that an error has a message, safe for a terminal."""
    assert str(error)
    is_plain(str(error))
