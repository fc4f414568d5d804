"""How many units may be in progress at once: fewer while the machine is busy, and more again when it is not."""

import math
from collections.abc import Callable, Sequence

from grader.engine.match import STARVED_SECONDS, STARVED_SHARE
from grader.records import MatchRecord

DISTURBED_SHARE = 0.25
"""If this share of the units that may be in progress was disturbed, half as many may be."""
CALM_UNITS = 2
"""After this many times as many undisturbed units as may be in progress, more may be."""


def is_disturbed(records: Sequence[MatchRecord]) -> bool:
    """Whether the players of games that count waited for a core for a large share of their time."""
    charges = [record.total_charge() for record in records]
    waited, wall = sum(charge.waited for charge in charges), sum(charge.wall for charge in charges)
    return waited > STARVED_SECONDS and waited > STARVED_SHARE * wall


class Concurrency:
    """Decides how many units may be in progress at once, from whether those that ended were disturbed.

    It only learns from units that were started after the last reduction: all that were in progress then suffered from the same
    disturbance.
    """

    def __init__(self, workers: Callable[[], int]) -> None:
        """`workers` returns the current number of games that can be played at a time."""
        self._workers = workers
        self._limit: int | None = None
        """None while the machine is not busy: then an engine may prepare more units than it has workers."""
        self._reductions = 0
        self._disturbed = self._calm = 0
        """How many units were disturbed, and how many were not, since the limit was changed."""
        self.fewest: int | None = None
        """The lowest limit so far; None if there was none."""

    @property
    def limit(self) -> int | None:
        """How many units may be in progress at once; None for no limit."""
        return self._limit

    def allows(self, in_progress: int) -> bool:
        """Whether another unit may be started."""
        return self._limit is None or in_progress < self._limit

    def started(self) -> int:
        """A ticket for a unit that is being started, to be passed to `ended`."""
        return self._reductions

    def ended(self, ticket: int, *, disturbed: bool) -> None:
        """Learn from a unit that has ended."""
        if ticket != self._reductions:
            return
        allowed = self._allowed()
        if disturbed:
            self._disturbed += 1
            if self._disturbed >= DISTURBED_SHARE * allowed:
                self.restrict(allowed // 2)
            return
        self._calm += 1
        if self._calm >= CALM_UNITS * allowed:
            self._raise()

    def restrict(self, limit: int) -> None:
        """Allow no more than this number of units, but at least one, until some have not been disturbed."""
        self._limit = max(1, min(limit, self._allowed()))
        self._reductions += 1
        self._disturbed = self._calm = 0
        if self._limit < self._workers():
            self.fewest = min(self._limit, self.fewest or self._limit)

    def _raise(self) -> None:
        self._disturbed = self._calm = 0
        if self._limit is not None:
            self._limit += math.ceil(self._limit / 4)
            if self._limit >= self._workers():
                self._limit = None

    def _allowed(self) -> int:
        return self._limit or max(1, self._workers())
