"""Clocks that measure how much time a player is charged, from outside its process.

A move is charged max(CPU time of the player, wall time − time spent waiting for a core). So sleeping is charged, thinking
on several threads is charged for each of them, and a busy machine is not. A player's own clock is never used.
"""

import os
import sys
import time
from contextlib import suppress
from typing import Protocol

from grader.records import Charge

TICK = 0.05
"""Seconds between two measurements of a thinking player. The waiting time of a thread that ends in between is lost."""


class Clock(Protocol):
    """Measures one player from `start` on."""

    def start(self) -> None:
        """Start charging."""

    def charge(self) -> Charge:
        """The time used since `start`. Must be called at least every `TICK`."""

    def threads(self) -> int:
        """The number of threads of the player now, as far as the system tells."""

    def close(self) -> None:
        """Release what the clock holds open."""


def clock_for(pid: int) -> Clock:
    """The best clock that this machine has for a process."""
    return LinuxClock(pid) if sys.platform == "linux" else WallClock()


class WallClock:
    """Charges wall time: all that is available on systems other than Linux."""

    def start(self) -> None:
        self._began = time.monotonic()

    def charge(self) -> Charge:
        wall = time.monotonic() - self._began
        return Charge(wall=wall, cpu=0.0, waited=0.0, charged=wall)

    def threads(self) -> int:
        return 1

    def close(self) -> None:
        pass


class LinuxClock:
    """Charges by the rule above, from the process's CPU clock and its threads' schedule statistics."""

    def __init__(self, pid: int) -> None:
        self._cpu_clock = ~pid << 3 | 2  # how Linux numbers the CPU clock of a process (CPUCLOCK_SCHED)
        self._threads = os.open(f"/proc/{pid}/task", os.O_RDONLY | os.O_DIRECTORY)
        self._main = os.open(f"{pid}/schedstat", os.O_RDONLY, dir_fd=self._threads)
        self._main_name = str(pid)
        self._seen: dict[str, int] = {}
        """The total waiting time of each thread at the last measurement, in nanoseconds."""
        self._last_cpu = 0.0

    def start(self) -> None:
        self._longest_wait()
        self._began = time.monotonic()
        self._began_cpu = self._cpu()
        self._waited = 0.0

    def charge(self) -> Charge:
        now = time.monotonic()
        # In each interval the thread that waited most counts: the others could run, or had nothing to do.
        # A wait is reported when it is over, so one of 70 ms may be reported in an interval of 50: it is not cut.
        self._waited += self._longest_wait()
        wall = now - self._began
        cpu = self._cpu() - self._began_cpu
        # While one of its own threads ran, another's waiting is not the machine's fault.
        waited = max(0.0, min(self._waited, wall - cpu))
        return Charge(wall=wall, cpu=cpu, waited=waited, charged=max(cpu, wall - waited))

    def threads(self) -> int:
        return os.fstat(self._threads).st_nlink - 2  # the folder itself and its parent

    def close(self) -> None:
        os.close(self._main)
        os.close(self._threads)

    def _cpu(self) -> float:
        with suppress(OSError):  # the process is gone; what it had used stays
            self._last_cpu = time.clock_gettime(self._cpu_clock)
        return self._last_cpu

    def _longest_wait(self) -> float:
        """The longest time that any thread has waited since the last measurement, in seconds."""
        waits = self._waits()
        most = max((wait - self._seen.get(thread, 0) for thread, wait in waits.items()), default=0)
        self._seen = waits
        return most / 1e9

    def _waits(self) -> dict[str, int]:
        try:
            if self.threads() == 1:
                return {self._main_name: int(os.pread(self._main, 100, 0).split()[1])}
            waits = {}
            for thread in os.listdir(self._threads):
                with suppress(OSError):  # a thread that has just ended
                    waits[thread] = _thread_wait(thread, self._threads)
            return waits
        except OSError:  # the process is gone
            return self._seen


def _thread_wait(thread: str, threads: int) -> int:
    file = os.open(f"{thread}/schedstat", os.O_RDONLY, dir_fd=threads)
    try:
        return int(os.read(file, 100).split()[1])
    finally:
        os.close(file)
