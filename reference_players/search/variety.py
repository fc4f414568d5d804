"""Variety between games: the first move that a seed and an opening mean, and the random numbers of each move.

Only `random()` and `getrandbits()` are used anywhere: they give the same numbers on every version of Python, and
`shuffle` and `sample` need not.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from reference_players.search import options

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Variety:
    """A game's seed and which of the first moves to take. Without a seed, a player's games are all the same."""

    seed: int | None = None
    opening: int = 0

    def __post_init__(self) -> None:
        if self.seed is not None and (isinstance(self.seed, bool) or not isinstance(self.seed, int)):
            raise ValueError(f"seed is a whole number or None, not {self.seed!r}")
        options.whole_number("opening", self.opening, least=0)

    def generator(self, ply: int) -> random.Random:
        """The random numbers for one move."""
        return random.Random(f"{self.seed}/{self.opening}/{ply}")

    def pick(self, entries: Sequence[T]) -> T:
        """The opening's entry of a list that the seed has shuffled: the next opening takes the next one."""
        return shuffle(entries, random.Random(f"{self.seed}"))[self.opening % len(entries)]


def shuffle(entries: Sequence[T], rng: random.Random) -> list[T]:
    """The entries in random order (Fisher and Yates)."""
    order = list(entries)
    for last in range(len(order) - 1, 0, -1):
        at = int(rng.random() * (last + 1))
        order[at], order[last] = order[last], order[at]
    return order
