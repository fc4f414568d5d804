"""How much time a check has, and what still fits into it."""

import time
from collections.abc import Callable

PROBES = 0.5
"""The share of the time that single questions may take; the rest is for games."""
START = 0.3
"""Seconds to start a player's process, about."""


class Budget:
    """Seconds from now on; None for as long as it takes."""

    def __init__(self, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self.seconds = seconds
        self.slowest = 0.0
        """Wall time of the slowest move so far: what the next may take."""
        self.loading = 0.0
        """Wall time that the player takes to get ready."""

    @property
    def until(self) -> float | None:
        """When it is over, by the clock."""
        return None if self.seconds is None else self._began + self.seconds

    @property
    def questions_until(self) -> float | None:
        """When single questions must leave the rest to games, by the clock."""
        return None if self.seconds is None else self._began + PROBES * self.seconds

    @property
    def spent(self) -> float:
        """Seconds so far."""
        return self._clock() - self._began

    @property
    def remaining(self) -> float:
        """Seconds from now."""
        return float("inf") if self.seconds is None else max(0.0, self.seconds - self.spent)

    def part(self, share: float) -> "Budget":
        """A share of what is left, from now on."""
        part = Budget(None if self.seconds is None else share * self.remaining, self._clock)
        part.slowest, part.loading = self.slowest, self.loading
        return part

    def note_move(self, seconds: float) -> None:
        """Take into account that a move took this long."""
        self.slowest = max(self.slowest, seconds)

    def allows(self, moves: int) -> bool:
        """Whether so many questions, after those so far, fit into the share that questions may take."""
        if self.seconds is None:
            return True
        return self.spent + START + self.loading + moves * self.slowest <= PROBES * self.seconds
