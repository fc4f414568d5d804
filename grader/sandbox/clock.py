"""Clocks that measure how much time a player is charged, from outside its process.

A move is charged max(CPU time of the player, wall time − time spent waiting for a core that others used). So a player is charged for sleeping,
and for each of its threads, but not for a busy machine. A player's own clock is never used.
"""

import os
import sys
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

from grader.records import Charge

TICK = 0.05
"""Seconds between two measurements of a thinking player. The waiting time of a thread that ends in between is lost."""

CORE_USE_ERROR = 0.02
"""Seconds by which the system's count of how long a core was busy can be wrong: it counts in hundredths."""
USE_AGE = CORE_USE_ERROR / 2
"""Seconds for which a measurement of how busy a core is serves for the moves that begin after it: it takes longer than a short move."""


class Clock(Protocol):
    """Measures the time of one player."""

    def start(self) -> None:
        """Start charging."""

    def charge(self) -> Charge:
        """The time used since `start`. Must be called at least every `TICK`."""

    def pending(self) -> float:
        """How much of the last charge may be a wait for a core that has not ended yet: the system reports a wait when it ends."""

    def threads(self) -> int:
        """The player's current number of threads, as far as the system reports it."""

    def cpu(self) -> float:
        """The CPU time of the player since it was started, as far as the system reports it."""

    def close(self) -> None:
        """Close the clock's files."""


def clock_for(pid: int, core: int | None) -> Clock:
    """The best kind of clock on this system, for a process that can only run on this core, if one is given."""
    return LinuxClock(pid, core) if sys.platform == "linux" else WallClock()


class CoreUse:
    """How long processes other than the players of a match use their core."""

    def __init__(self, core: int | None) -> None:
        self._core = core
        self._busy, self._grader = _busy_seconds(core), time.process_time()

    def by_others(self, players: float) -> float | None:
        """Seconds since the beginning, given the CPU time of the players; None where the system does not tell.

        The grader's own process is not among the others: a player can make it work, e.g. by printing.
        """
        busy = _busy_seconds(self._core)
        if busy is None or self._busy is None:
            return None
        return max(0.0, busy - self._busy - players - (time.process_time() - self._grader))


def _busy_seconds(core: int | None) -> float | None:
    """Seconds that a core has not been idle since the system started: it was busy, or taken by a hypervisor.

    Only idle time is measured exactly. The system's counts of busy time are samples, taken every few milliseconds: a player that
    wakes up just before each of them and sleeps after it would seem to share its core with another busy process.
    """
    if core is None or sys.platform != "linux":
        return None
    try:
        with open("/proc/stat", encoding="ascii") as file:
            fields = next(line.split() for line in file if line.startswith(f"cpu{core} "))
    except (OSError, StopIteration):
        return None
    idle, waiting_for_disk = int(fields[4]), int(fields[5])
    return time.monotonic() - (idle + waiting_for_disk) / os.sysconf("SC_CLK_TCK")


class WallClock:
    """Charges wall time, for systems other than Linux."""

    def start(self) -> None:
        self._began = time.monotonic()

    def charge(self) -> Charge:
        wall = time.monotonic() - self._began
        return Charge(wall=wall, cpu=0.0, waited=0.0, charged=wall)

    def pending(self) -> float:
        return 0.0

    def threads(self) -> int:
        return 1

    def cpu(self) -> float:
        return 0.0

    def close(self) -> None:
        pass


class LinuxClock:
    """Charges by the rule above, from the process's CPU clock and its threads' schedule statistics."""

    def __init__(self, pid: int, core: int | None = None) -> None:
        self._core = core
        self._cpu_clock = ~pid << 3 | 2  # how Linux numbers the CPU clock of a process (CPUCLOCK_SCHED)
        self._threads = os.open(f"/proc/{pid}/task", os.O_RDONLY | os.O_DIRECTORY)
        self._main = os.open(f"{pid}/schedstat", os.O_RDONLY, dir_fd=self._threads)
        self._main_name = str(pid)
        self._last_cpu = 0.0
        self._closed = False
        self._history: deque[_Measurement] = deque(maxlen=400)
        self._use, self._use_since = CoreUse(core), _Measurement(time.monotonic(), 0.0, {})
        self._own_cpu: dict[str, float] = {}
        """For each thread, recent CPU time of the process's other threads that has not yet explained a wait of this one."""

    def start(self) -> None:
        last = self._history[-1] if self._history else None
        self._history.clear()
        self._own_cpu.clear()
        now = _Measurement(time.monotonic(), self.cpu(), self._schedstats({}))
        self._history.append(now)
        self._ran_after = now
        # What it has computed since the last charge, although it should have been frozen, is charged with what follows.
        ahead = 0.0 if last is None else now.cpu - last.cpu
        self._first = replace(now, time=now.time - ahead, cpu=now.cpu - ahead)
        self._waited = 0.0
        if now.time - self._use_since.time > USE_AGE:
            self._use, self._use_since = CoreUse(self._core), now

    def charge(self) -> Charge:
        last = self._history[-1]
        now = _Measurement(time.monotonic(), self.cpu(), self._schedstats(last.threads))
        if now.cpu > last.cpu:
            self._ran_after = last
        # In each interval the thread that waited most counts: the others could run, or had nothing to do.
        # A wait is reported when it is over, so one of 70 ms may be reported in an interval of 50: it is not cut.
        self._waited += self._longest_wait(last, now)
        self._history.append(now)
        wall = now.time - self._first.time
        cpu = now.cpu - self._first.cpu
        waited = self._limit_to_use_by_others(max(0.0, min(self._waited, wall - cpu)), cpu)
        return Charge(wall=wall, cpu=cpu, waited=waited, charged=max(cpu, wall - waited))

    def _longest_wait(self, last: "_Measurement", now: "_Measurement") -> float:
        main = self._main_name
        if (
            not self._own_cpu
            and now.threads.keys() == last.threads.keys() == {main}
            and _others_cpu(main, last, now) < 1e-6
        ):
            return now.waited(main) - last.waited(main)  # the same as below, for the most frequent case
        return max((self._foreign_wait(thread, last, now) for thread in now.threads), default=0.0)

    def pending(self) -> float:
        """A wait that has not ended began after the last measurement after which the player ran.

        If a thread is ready to run, all the time since then may be that wait, as far as other processes used the core. If the
        thread slept for a part of it, that is known when the wait ends. Nothing adds up: only the last wait is pending.
        """
        now, since = self._history[-1], self._ran_after
        wall, cpu = now.time - self._first.time, now.cpu - self._first.cpu
        unknown = (now.time - since.time) - (now.cpu - since.cpu)
        if unknown <= 0 or not self._is_ready_to_run():
            return 0.0
        waited = max(0.0, min(self._waited, wall - cpu))
        most = max(0.0, min(self._waited + unknown, wall - cpu))
        return max(0.0, self._limit_to_use_by_others(most, cpu) - self._limit_to_use_by_others(waited, cpu))

    def threads(self) -> int:
        return os.fstat(self._threads).st_nlink - 2  # the folder itself and its parent

    def close(self) -> None:
        self._closed = True
        os.close(self._main)
        os.close(self._threads)

    def cpu(self) -> float:
        if not self._closed:
            with suppress(OSError):  # the process has ended; its last measurement counts
                self._last_cpu = time.clock_gettime(self._cpu_clock)
        return self._last_cpu

    def _is_ready_to_run(self) -> bool:
        """Whether a thread is running or waiting for a core."""
        try:
            return any(_thread_state(thread, self._threads) == b"R" for thread in os.listdir(self._threads))
        except OSError:  # the process is gone
            return False

    def _limit_to_use_by_others(self, waited: float, cpu: float) -> float:
        """No more waiting than other processes used the core, if it is known.

        Threads that wait for the same process at the same time report it one after the other, so the sum can be many times
        too large. A player could have many threads for that, and choose when it is measured by printing.
        """
        if waited <= CORE_USE_ERROR:
            return waited
        others = self._use.by_others(cpu + self._first.cpu - self._use_since.cpu)
        if others is None:
            return waited
        return min(waited, others + CORE_USE_ERROR)

    def _foreign_wait(self, thread: str, last: "_Measurement", now: "_Measurement") -> float:
        """How long a thread has waited since the last measurement because of other processes, in seconds.

        While another thread of the same process runs, a wait is the process's own doing: otherwise a player could make its
        threads wait for each other, and have a lost game played again. Such CPU time explains waits that end soon after it.
        """
        wait = now.waited(thread) - last.waited(thread)
        before = self._before(now.time - wait - (now.time - last.time))
        recent = _others_cpu(thread, before, now)
        own = min(self._own_cpu.get(thread, 0.0) + _others_cpu(thread, last, now), recent)
        explained = max(0.0, min(wait, own))
        self._own_cpu[thread] = own - explained
        return wait - explained

    def _before(self, moment: float) -> "_Measurement":
        """The latest measurement before a moment, or the oldest that is remembered."""
        return next((one for one in reversed(self._history) if one.time <= moment), self._history[0])

    def _schedstats(self, last: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
        """The seconds that each thread has run and waited since it began. Those of the last time if the process is gone."""
        try:
            if self.threads() == 1:
                return {self._main_name: _seconds(os.pread(self._main, 100, 0))}
            found = {}
            for thread in os.listdir(self._threads):
                with suppress(OSError):  # a thread that has just ended
                    found[thread] = _thread_schedstat(thread, self._threads)
            return found
        except OSError:  # the process is gone
            return last


@dataclass(frozen=True, slots=True)
class _Measurement:
    time: float
    cpu: float
    """The CPU time of the process, with that of threads that have ended."""
    threads: dict[str, tuple[float, float]]
    """For each thread the seconds that it has run and waited for a core."""

    def ran(self, thread: str) -> float:
        return self.threads.get(thread, (0.0, 0.0))[0]

    def waited(self, thread: str) -> float:
        return self.threads.get(thread, (0.0, 0.0))[1]


def _others_cpu(thread: str, before: _Measurement, after: _Measurement) -> float:
    """The CPU time that the process's other threads used between two measurements."""
    return after.cpu - before.cpu - (after.ran(thread) - before.ran(thread))


def _thread_state(thread: str, threads: int) -> bytes:
    """The state of a thread, e.g. R if it is running or waiting for a core; empty if it has ended."""
    try:
        file = os.open(f"{thread}/stat", os.O_RDONLY, dir_fd=threads)
    except OSError:
        return b""
    try:
        return os.read(file, 200).rpartition(b") ")[2][:1]
    except OSError:
        return b""
    finally:
        os.close(file)


def _thread_schedstat(thread: str, threads: int) -> tuple[float, float]:
    file = os.open(f"{thread}/schedstat", os.O_RDONLY, dir_fd=threads)
    try:
        return _seconds(os.read(file, 100))
    finally:
        os.close(file)


def _seconds(schedstat: bytes) -> tuple[float, float]:
    ran, waited, *_ = schedstat.split()
    return int(ran) / 1e9, int(waited) / 1e9
