"""Make games differ: choose among good moves by seed and opening, and create the random numbers for each move.

Only `random()` and `getrandbits()` are used: they return the same numbers in every version of Python, while `shuffle` and
`sample` may not.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from reference_players.search import options

T = TypeVar("T")


KINDS = ("seeded", "none")
"""The values of a player's option `variety`."""


@dataclass(frozen=True, slots=True)
class Variety:
    """The seed of a game, and the number of its opening. Without a seed, all games of a player are the same."""

    seed: int | None = None
    opening: int = 0
    kind: str = "seeded"
    """With "none", the seed is ignored: the player always plays as it does without one."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"variety must be {' or '.join(map(repr, KINDS))}, not {self.kind!r}")
        if self.seed is not None and (isinstance(self.seed, bool) or not isinstance(self.seed, int)):
            raise ValueError(f"seed must be a whole number or None, not {self.seed!r}")
        options.whole_number("opening", self.opening, least=0)
        if self.kind == "none":
            object.__setattr__(self, "seed", None)

    def generator(self, ply: int) -> random.Random:
        """The random number generator for one move."""
        return random.Random(f"{self.seed}/{self.opening}/{ply}")

    def choose(self, entries: Sequence[T], ply: int) -> T:
        """One of the entries, each with the same probability; without a seed, the first."""
        if self.seed is None:
            return entries[0]
        return entries[int(random.Random(f"{self.seed}/{self.opening}/{ply}/choice").random() * len(entries))]

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
