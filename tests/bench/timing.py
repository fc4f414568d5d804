"""Measure the CPU time of some work, in this process or in all that it starts."""

import atexit
import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

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


def cpu_of_all(work: Callable[[], int]) -> Measure:
    """The same, counting all processes that the work starts, also those that have left this process's family."""
    read = clock_of_all()

    def measure() -> float:
        began = read()
        times = work()
        return (read() - began) / times

    return measure


def clock_of_all() -> Callable[[], float]:
    """A clock of the CPU time of this process and all that it starts from now on."""
    return _group_clock() or _machine_clock


@cache
def _group_clock() -> Callable[[], float] | None:
    """The clock of a new control group for this process and those that it starts; None where there is no cgroup v2."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines()]
    own = [line[3:] for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines() if line[:3] == "0::"]
    for _, mounted, kind, *_ in mounts:
        if kind == "cgroup2" and own:
            group = Path(mounted, own[0].lstrip("/"), f"grader-bench-{os.getpid()}")
            try:
                group.mkdir()
                (group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
            except OSError:
                continue
            atexit.register(_leave, group)
            return lambda: int((group / "cpu.stat").read_text(encoding="ascii").split()[1]) / 1e6
    return None


def _leave(group: Path) -> None:
    """Move all that is still in a group out of it, and remove it."""
    for pid in (group / "cgroup.procs").read_text(encoding="ascii").split():
        with suppress(ProcessLookupError):  # it has just ended
            (group.parent / "cgroup.procs").write_text(pid, encoding="ascii")
    with suppress(OSError):  # a process has not quite ended
        group.rmdir()


def _machine_clock() -> float:
    """CPU seconds of everything on this machine: only useful if nothing else runs."""
    user, nice, system, *_ = Path("/proc/stat").read_text(encoding="ascii").split()[1:]
    return (int(user) + int(nice) + int(system)) / os.sysconf("SC_CLK_TCK")
