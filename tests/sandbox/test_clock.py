"""The charge rule, measured on real processes. No assertion here depends on how fast the machine is."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from grader.sandbox.clock import TICK, LinuxClock, WallClock
from tests.waiting import comes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fair clock is Linux's")

SPIN = "while True: pass"
SLEEP = "import time; time.sleep(60)"
THREADS = """
import hashlib, threading
for _ in range(3):
    threading.Thread(target=hashlib.pbkdf2_hmac, args=("sha256", b"", b"", 10**9), daemon=True).start()
threading.Event().wait()
"""


@contextmanager
def running(code: str, core: int | None = None) -> Iterator[int]:
    process = subprocess.Popen([sys.executable, "-c", f"print(flush=True)\n{code}"], stdout=subprocess.PIPE)
    assert process.stdout is not None
    if core is not None:
        os.sched_setaffinity(process.pid, {core})
    try:
        process.stdout.readline()  # the interpreter has started
        yield process.pid
    finally:
        process.kill()
        process.communicate()


def charged(pid: int, seconds: float):
    """What the clock says after some time of wall, looked at as the referee does."""
    clock = LinuxClock(pid)
    try:
        clock.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(TICK / 2)
            charge = clock.charge()
        return charge
    finally:
        clock.close()


def test_sleeping_is_charged():
    with running(SLEEP) as pid:
        charge = charged(pid, 0.4)

    assert charge.cpu < 0.1
    assert charge.charged > 0.9 * charge.wall


def test_thinking_is_charged_as_cpu_and_never_more_than_wall():
    with running(SPIN) as pid:
        charge = charged(pid, 0.4)

    assert charge.cpu <= charge.charged <= charge.wall + 0.01


def test_waiting_for_a_core_is_not_charged():
    core = min(os.sched_getaffinity(0))
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(running(SPIN, core))
        pid = stack.enter_context(running(SPIN, core))
        charge = charged(pid, 1.0)

    assert charge.waited > 0.5 * charge.wall
    assert charge.charged < 0.5 * charge.wall
    assert charge.charged >= charge.cpu


def test_a_thread_that_waits_counts_even_if_the_main_one_sleeps():
    core = min(os.sched_getaffinity(0))
    worker = THREADS.replace("range(3)", "range(1)")
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(running(SPIN, core))
        charge = charged(stack.enter_context(running(worker, core)), 1.0)

    assert charge.charged < 0.6 * charge.wall


def test_threads_are_charged_for_each_of_them_and_their_mutual_waiting_is_their_own():
    core = min(os.sched_getaffinity(0))
    with running(THREADS, core) as pid:
        charge = charged(pid, 0.6)

    assert charge.charged >= charge.cpu
    assert charge.waited <= charge.wall - charge.cpu + 1e-6


def test_a_process_that_is_gone_keeps_what_it_had_used():
    process = subprocess.Popen([sys.executable, "-c", SPIN])
    clock = LinuxClock(process.pid)
    clock.start()
    time.sleep(0.3)
    before = clock.charge()
    process.kill()
    process.wait()

    after = clock.charge()
    clock.close()

    assert after.cpu >= before.cpu
    assert after.wall >= before.wall


def test_it_counts_threads():
    with running(THREADS) as pid:
        clock = LinuxClock(pid)
        assert comes(lambda: clock.threads() == 4)
        clock.close()


def test_elsewhere_wall_time_is_charged():
    clock = WallClock()
    clock.start()
    time.sleep(0.02)
    charge = clock.charge()

    assert charge.charged == charge.wall >= 0.02
    assert clock.threads() == 1
    clock.close()
