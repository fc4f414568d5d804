"""The time that a check may take, and what still fits into it."""

import time
from collections.abc import Callable

PROBES = 0.5
"""The share of the time after which no more test positions are tried, unless there were only a few."""
FEW_ANSWERS = 8
"""The first test positions, which are tried however slow the player is."""
EXAM = 0.85
"""The share of the time after which these are not tried either."""
EXTRAS = 0.65
"""The share of the time after which nothing else is tried in single positions; the rest is for games."""
START = 0.3
"""Roughly how many seconds it takes to start a player's process."""


class Budget:
    """A number of seconds from now on; None for no limit."""

    def __init__(self, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self.seconds = seconds
        self.slowest = 0.0
        """The wall time of the slowest move so far, as an estimate for the next."""
        self.loading = 0.0
        """The wall time that the player takes to load."""

    @property
    def until(self) -> float | None:
        """The time of the clock when the budget is used up."""
        return None if self.seconds is None else self._began + self.seconds

    def share_until(self, share: float) -> float | None:
        """The time of the clock when a share of the budget is used up."""
        return None if self.seconds is None else self._began + share * self.seconds

    @property
    def spent(self) -> float:
        """Seconds used so far."""
        return self._clock() - self._began

    @property
    def remaining(self) -> float:
        """Seconds left."""
        return float("inf") if self.seconds is None else max(0.0, self.seconds - self.spent)

    def part(self, share: float) -> "Budget":
        """A budget of a share of the time that is left."""
        part = Budget(None if self.seconds is None else share * self.remaining, self._clock)
        part.slowest, part.loading = self.slowest, self.loading
        return part

    def note_move(self, seconds: float) -> None:
        """Record how long a move took."""
        self.slowest = max(self.slowest, seconds)

    def allows(self, moves: int, share: float = EXTRAS) -> bool:
        """Whether this many further moves fit into a share of the time."""
        if self.seconds is None:
            return True
        return self.spent + START + self.loading + moves * self.slowest <= share * self.seconds
