"""How long to wait before games for which the machine was too busy are played again, and when to give up."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from grader.engine.match import TRIES
from grader.sandbox.idle_cores import IdleCores

IDLE = 0.8
"""If at least this much of one core is idle, the machine is not too busy for a game."""
_CHECK_EVERY = 0.5
"""Seconds between two measurements of how busy the machine is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to wait for a busy machine. Games are given up only at the end, when all others have been played."""

    first_pause: float = 5.0
    """Seconds to wait after an attempt for which the machine was too busy. Each further pause is twice as long."""
    longest_pause: float = 60.0
    calm: float = 0.2
    """A pause ends early if the machine has not been busy for this share of it."""
    total: float = 600.0
    """Seconds without a fair game after which the remaining ones are given up."""
    tries: int = TRIES
    """The least number of attempts in that time."""
    until: float = math.inf
    """When to stop waiting, by `time.monotonic`: then the remaining attempts follow each other."""


PATIENT = Patience()


class Backoff:
    """Decides when the next attempt may start, from when games were fair and when the machine was too busy."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._busy_in_a_row = self._attempts = 0
        self._last_busy = -math.inf
        self._since = -math.inf
        """When the last fair game ended, or the last other game."""
        self._has_given_up = False

    def begin(self, now: float) -> None:
        """Note that all other games have been played. What happened before counts only for the first pause."""
        self._busy_in_a_row, self._attempts = min(self._busy_in_a_row, 1), 0
        self._since = -math.inf if self._has_given_up else now

    def note_fair(self, now: float) -> None:
        """Note that a game was fair."""
        self._busy_in_a_row = self._attempts = 0
        self._since, self._has_given_up = now, False

    def note_busy(self, now: float) -> None:
        """Note that the machine was too busy for a game."""
        self._busy_in_a_row += 1
        self._attempts += 1
        self._last_busy = now

    def pause(self) -> float:
        """The length of the pause after the last attempt; 0 if it was fair."""
        if not self._busy_in_a_row:
            return 0.0
        doubled: float = 2.0 ** min(self._busy_in_a_row - 1, 30)
        return min(self._patience.first_pause * doubled, self._patience.longest_pause)

    def end_of_pause(self) -> float:
        """When the next attempt may start at the latest, by `time.monotonic`."""
        return min(self._last_busy + self.pause(), self._patience.until)

    def end_early(self) -> None:
        """End the pause: the machine is no longer busy."""
        self._last_busy = -math.inf

    def should_give_up(self, now: float) -> bool:
        """Whether the machine has been busy for too long."""
        patience = self._patience
        return self._attempts >= patience.tries and (now - self._since >= patience.total or now >= patience.until)

    def give_up(self) -> None:
        """Note that games were given up. Until one is fair, further ones only get the attempts, and not all the time."""
        self._has_given_up = True


def wait_for_calm(backoff: Backoff, patience: Patience, idle: IdleCores | None, refresh: Callable[[], None]) -> None:
    """Wait until the pause is over, or until the machine has not been busy for a while. Calls `refresh` about twice a second.

    `idle` is None where it is not known how busy the machine is, e.g. on a cluster.
    """
    calm_for, pause = 0.0, backoff.pause()
    while (left := backoff.end_of_pause() - time.monotonic()) > 0:
        refresh()
        began = time.monotonic()
        time.sleep(min(left, _CHECK_EVERY, max(patience.calm * pause, 0.01)))
        free = idle.since_last() if idle is not None else None
        calm_for = calm_for + time.monotonic() - began if free is not None and free >= IDLE else 0.0
        if free is not None and free >= IDLE and calm_for >= patience.calm * pause:
            break
    backoff.end_early()
