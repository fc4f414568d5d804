"""Ratings of players and their 95 % intervals. `bradley_terry` computes them from games."""

import math
from dataclasses import dataclass

ORIGIN = 1500.0
"""The mean of all ratings, unless an anchor says otherwise."""
SCALE = 400 / math.log(10)
"""Rating points per unit of strength: 400 points mean 10:1 odds."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """One finished game."""

    first: str
    """The player that moved first."""
    second: str
    score: float
    """The first player's score: 1 for a win, ½ for a draw, 0 for a loss."""
    weight: float = 1.0
    """Less than 1 if it repeats another game."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating with its 95 % interval."""

    value: float
    low: float
    high: float

    def is_above(self, other: "Rating") -> bool:
        """Whether the intervals do not overlap, and this one is the higher."""
        return self.low > other.high


def expected_share(points: float) -> float:
    """The expected win rate of a player that is this many points ahead."""
    return 0.5 * (1 + math.tanh(points / SCALE / 2))  # the logistic function without overflow
