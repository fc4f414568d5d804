"""The time that a check may take, and what still fits into it."""

import time
from collections.abc import Callable

PROBES = 0.5
"""The share of the time for single positions; the rest is for games."""
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

    @property
    def questions_until(self) -> float | None:
        """The time of the clock when the share for single positions is used up."""
        return None if self.seconds is None else self._began + PROBES * self.seconds

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

    def allows(self, moves: int) -> bool:
        """Whether this many further moves fit into the share for single positions."""
        if self.seconds is None:
            return True
        return self.spent + START + self.loading + moves * self.slowest <= PROBES * self.seconds
