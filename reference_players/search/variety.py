"""Make games differ: choose the first move by seed and opening, and create the random numbers for each move.

Only `random()` and `getrandbits()` are used: they return the same numbers in every version of Python, while `shuffle` and
`sample` may not.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from reference_players.search import options

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Variety:
    """The seed of a game, and the number of its opening. Without a seed, all games of a player are the same."""

    seed: int | None = None
    opening: int = 0

    def __post_init__(self) -> None:
        if self.seed is not None and (isinstance(self.seed, bool) or not isinstance(self.seed, int)):
            raise ValueError(f"seed must be a whole number or None, not {self.seed!r}")
        options.whole_number("opening", self.opening, least=0)

    def generator(self, ply: int) -> random.Random:
        """The random number generator for one move."""
        return random.Random(f"{self.seed}/{self.opening}/{ply}")

    def pick(self, entries: Sequence[T]) -> T:
        """The entry with the number of the opening, from the entries shuffled by the seed."""
        return shuffle(entries, random.Random(f"{self.seed}"))[self.opening % len(entries)]


def shuffle(entries: Sequence[T], rng: random.Random) -> list[T]:
    """The entries in random order (Fisher–Yates shuffle)."""
    order = list(entries)
    for last in range(len(order) - 1, 0, -1):
        at = int(rng.random() * (last + 1))
        order[at], order[last] = order[last], order[at]
    return order
