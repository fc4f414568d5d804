"""Measure the CPU time of some work in this process."""

import time
from collections.abc import Callable

from tests.bench.figures import Measure


def cpu_of(work: Callable[[], int]) -> Measure:
    """A measure of the CPU seconds per unit of work; `work` returns how many units it did.

    CPU time, because other programs may use the machine, and waiting for a core must not count.
    """

    def measure() -> float:
        began = time.process_time()
        times = work()
        return (time.process_time() - began) / times

    return measure


def repeated(work: Callable[[], object], times: int) -> Callable[[], int]:
    """The same work, done this number of times."""

    def run() -> int:
        for _ in range(times):
            work()
        return times

    return run
