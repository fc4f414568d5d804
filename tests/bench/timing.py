"""Time a piece of work in this process."""

import time
from collections.abc import Callable

from tests.bench.figures import Measure


def cpu_of(work: Callable[[], int]) -> Measure:
    """CPU seconds of one piece of work that is done many times; the work says how many times it was.

    CPU, because others may use the machine, too: waiting for a core is nobody's merit or fault.
    """

    def measure() -> float:
        began = time.process_time()
        times = work()
        return (time.process_time() - began) / times

    return measure


def repeated(work: Callable[[], object], times: int) -> Callable[[], int]:
    """The same so many times."""

    def run() -> int:
        for _ in range(times):
            work()
        return times

    return run
