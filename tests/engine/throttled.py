"""Run a command on one core: with nearly all of it, or with half, by a quota or by halting it half of the time."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

PERIOD = 0.02
"""Seconds in which the duty cycle lets the command run once."""
ROOTS = {name: Path("/sys/fs/cgroup", name) for name in ("cpu", "freezer")}
MOST_SHARES = "262144"


def run_alone(command: list[str], **more: object) -> subprocess.CompletedProcess[str]:
    """Run a command that gets nearly all of its core, whatever else is running."""
    with _group("cpu") as outer:
        _write(outer / "cpu.shares", MOST_SHARES)
        return _run(command, [outer], **more)


def run_with_quota(command: list[str], **more: object) -> subprocess.CompletedProcess[str]:
    """Run a command that may use half of a core, in periods of 0.1 s."""
    with _group("cpu") as outer, _group("cpu", outer) as inner:
        for folder in (outer, inner):
            _write(folder / "cpu.shares", MOST_SHARES)
        _write(inner / "cpu.cfs_quota_us", "50000")
        return _run(command, [inner], **more)


def run_half_of_the_time(command: list[str], **more: object) -> subprocess.CompletedProcess[str]:
    """Run a command that is halted half of the time, as by a hypervisor."""
    with _group("cpu") as shares, _group("freezer") as freezer:
        _write(shares / "cpu.shares", MOST_SHARES)
        halting = subprocess.Popen([sys.executable, __file__, str(freezer / "freezer.state")])
        try:
            return _run(command, [shares, freezer], **more)
        finally:
            halting.kill()
            halting.wait()
            _write(freezer / "freezer.state", "THAWED")


def _run(command: list[str], groups: list[Path], **more: object) -> subprocess.CompletedProcess[str]:
    enter = "".join(f"echo $$ > {group}/cgroup.procs && " for group in groups)
    whole = ["sh", "-c", f'{enter}exec "$@"', "sh", *command]
    return subprocess.run(whole, capture_output=True, text=True, check=True, timeout=300, **more)  # type: ignore[call-overload, no-any-return]


@contextmanager
def _group(controller: str, parent: Path | None = None) -> Iterator[Path]:
    folder = (parent or ROOTS[controller]) / f"grader-test-{os.getpid()}"
    try:
        folder.mkdir()
        assert (folder / "cgroup.procs").exists()
        _write(folder / "cgroup.procs", "")
    except (OSError, AssertionError):
        with suppress(OSError):
            folder.rmdir()
        pytest.skip(f"no control groups (cgroup v1) can be created in {ROOTS[controller]}")
    try:
        yield folder
    finally:
        deadline = time.monotonic() + 10
        while True:  # the last processes take a moment to end
            try:
                folder.rmdir()
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)


def _write(file: Path, text: str) -> None:
    if text:
        file.write_text(text)


def halt(state: Path) -> None:
    """Freeze and thaw a group in turn, without being disturbed by other processes."""
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    while True:
        for text in ("FROZEN", "THAWED"):
            state.write_text(text)
            time.sleep(PERIOD / 2)


if __name__ == "__main__":
    halt(Path(sys.argv[1]))
