"""Numbers as a short text, for pages with thousands of games. `unpackNumbers` in `draw.js` reads them.

A number below 76 is one sign, below 1064 two signs, and so on: the last sign of a number is one of the first 76, and each
sign before it one of the other 14. The signs are those of ASCII that need no escape in JSON or HTML.
"""

from collections.abc import Iterable
from functools import lru_cache

SIGNS = "".join(sign for sign in map(chr, range(0x20, 0x7F)) if sign not in '"&<>\\')
LAST = 76
"""How many of the signs end a number."""


def pack_numbers(numbers: Iterable[int]) -> str:
    """Whole numbers from 0 as one text."""
    return "".join(map(_pack, numbers))


@lru_cache(maxsize=4096)
def _pack(number: int) -> str:
    rest, last = divmod(number, LAST)
    text = SIGNS[last]
    while rest:
        rest, digit = divmod(rest, len(SIGNS) - LAST)
        text = SIGNS[LAST + digit] + text
    return text
