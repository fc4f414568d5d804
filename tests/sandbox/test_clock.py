"""The rule for charging time, measured on real processes. No assertion depends on the speed of the machine."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from grader.sandbox import clock as clocks
from grader.sandbox.clock import TICK, CoreUse, LinuxClock, WallClock
from tests.waiting import becomes_true

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fair clock exists only on Linux")

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


def measure(pid: int, seconds: float, core: int | None = None, tick: float = TICK / 2):
    """The charge of a process after some wall time, measured in short intervals as for a player."""
    clock = LinuxClock(pid, core)
    try:
        clock.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(tick)
            charge = clock.charge()
        return charge
    finally:
        clock.close()


def test_sleeping_is_charged():
    with running(SLEEP) as pid:
        charge = measure(pid, 0.4)

    assert charge.cpu < 0.1
    assert charge.charged > 0.9 * charge.wall


def test_thinking_is_charged_by_cpu_time_and_never_more_than_wall_time():
    with running(SPIN) as pid:
        charge = measure(pid, 0.4)

    assert charge.cpu <= charge.charged <= charge.wall + 0.01


def test_waiting_for_a_core_is_not_charged():
    core = min(os.sched_getaffinity(0))
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(running(SPIN, core))
        pid = stack.enter_context(running(SPIN, core))
        charge = measure(pid, 1.0, core)

    assert charge.waited > 0.5 * charge.wall
    assert charge.charged < 0.5 * charge.wall
    assert charge.charged >= charge.cpu


def test_a_waiting_thread_counts_even_if_the_main_thread_sleeps():
    core = min(os.sched_getaffinity(0))
    worker = THREADS.replace("range(3)", "range(1)")
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(running(SPIN, core))
        charge = measure(stack.enter_context(running(worker, core)), 1.0)

    assert charge.charged < 0.6 * charge.wall


def test_every_thread_is_charged_and_waiting_for_each_other_is_not_excused():
    core = min(os.sched_getaffinity(0))
    with running(THREADS, core) as pid:
        charge = measure(pid, 0.6)

    assert charge.charged >= charge.cpu
    assert charge.waited <= charge.wall - charge.cpu + 1e-6


VETO = """
import hashlib, threading, time
data = bytes(4_000_000)
def hash_and_sleep():
    while True:
        hashlib.sha256(data).digest()
        now = time.monotonic()
        time.sleep(0.05 - now % 0.05)
for _ in range(8):
    threading.Thread(target=hash_and_sleep, daemon=True).start()
threading.Event().wait()
"""
SHORT_LIVED = """
import hashlib, threading, time
data = bytes(4_000_000)
while True:
    threads = [threading.Thread(target=hashlib.sha256, args=(data,)) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    time.sleep(0.02)
"""


@pytest.mark.parametrize("code", [VETO, SHORT_LIVED], ids=["threads that wake together", "threads that end at once"])
def test_waits_that_a_players_own_threads_cause_each_other_are_its_own(code):
    core = min(os.sched_getaffinity(0))
    with running(code, core) as pid:
        before = core_use(core) - cpu_of(pid)
        charge = measure(pid, 1.5)
        foreign = core_use(core) - cpu_of(pid) - before

    assert charge.waited <= foreign + 0.1, "nothing else ran on this core for longer"


MANY_THREADS = """
import hashlib, threading, time
data = bytes(40_000)
def wake_together():
    while True:
        time.sleep(0.02 - time.monotonic() % 0.02)
        hashlib.sha256(data).digest()
for _ in range(40):
    threading.Thread(target=wake_together, daemon=True).start()
threading.Event().wait()
"""
OCCASIONAL = """
import time
while True:
    end = time.monotonic() + 0.003
    while time.monotonic() < end:
        pass
    time.sleep(0.02 - time.monotonic() % 0.02)
"""


def test_many_threads_do_not_multiply_the_wait_for_another_process():
    core = min(os.sched_getaffinity(0))
    with running(OCCASIONAL, core), running(MANY_THREADS, core) as pid:
        assert becomes_true(lambda: len(list(Path(f"/proc/{pid}/task").iterdir())) == 41)
        before = core_use(core) - cpu_of(pid)
        charge = measure(pid, 2.0, core, tick=0.001)  # as often as for a player that prints all the time
        foreign = core_use(core) - cpu_of(pid) - before

    assert charge.waited <= foreign + 0.1, "nothing else ran on this core for longer"


def test_a_wait_is_excused_only_as_long_as_other_processes_used_the_core(monkeypatch):
    core = min(os.sched_getaffinity(0))
    monkeypatch.setattr(clocks, "_busy_seconds", lambda _: 100.0)
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(running(SPIN, core))
        charge = measure(stack.enter_context(running(SPIN, core)), 1.0, core)

    assert charge.waited <= clocks.CORE_USE_ERROR
    assert charge.charged > 0.9 * charge.wall


@contextmanager
def measuring(pid: int, core: int) -> Iterator[LinuxClock]:
    clock = LinuxClock(pid, core)
    try:
        clock.start()
        yield clock
    finally:
        clock.close()


def settled(clock: LinuxClock) -> tuple[float, float]:
    """What is charged without a wait that has not ended, and how long that may have been."""
    time.sleep(TICK / 5)
    charge, pending = clock.charge(), clock.pending()
    return charge.charged - pending, pending


def test_what_a_process_computes_between_two_moves_is_charged_with_the_next():
    core = min(os.sched_getaffinity(0))
    with running(SPIN, core) as pid, measuring(pid, core) as clock:
        used = cpu_of(pid)
        clock.charge()
        time.sleep(0.3)
        clock.start()
        charge = clock.charge()
        used = cpu_of(pid) - used

    assert used > 0.02
    assert charge.charged >= charge.cpu >= 0.9 * used - 0.02


def test_a_wait_that_has_not_ended_is_not_charged():
    core = min(os.sched_getaffinity(0))
    with running(SPIN, core), running(SPIN, core) as pid:
        os.setpriority(os.PRIO_PROCESS, pid, 19)  # so that each wait is long
        with measuring(pid, core) as clock:
            looks = [settled(clock) for _ in range(100)]

    longest = max(pending for _, pending in looks)
    assert longest > 2 * TICK / 5, "no wait went on while the clock was read"
    assert max(charged for charged, _ in looks) < 0.5


def test_a_process_that_sleeps_has_no_wait_that_has_not_ended_on_a_busy_core():
    core = min(os.sched_getaffinity(0))
    with running(SPIN, core), running(SLEEP, core) as pid, measuring(pid, core) as clock:
        looks = [settled(clock) for _ in range(20)]

    assert max(pending for _, pending in looks) == 0


def test_nothing_is_pending_while_no_other_process_uses_the_core(monkeypatch):
    core = min(os.sched_getaffinity(0))
    monkeypatch.setattr(clocks, "_busy_seconds", lambda _: 100.0)
    with running(SPIN, core), running(SPIN, core) as pid, measuring(pid, core) as clock:
        looks = [settled(clock) for _ in range(50)]

    assert max(pending for _, pending in looks) <= clocks.CORE_USE_ERROR


def test_threads_that_wait_for_each_other_have_no_more_pending_than_others_used():
    core = min(os.sched_getaffinity(0))
    with running(THREADS, core) as pid, measuring(pid, core) as clock:
        before = core_use(core) - cpu_of(pid)
        looks = [settled(clock) for _ in range(50)]
        foreign = core_use(core) - cpu_of(pid) - before

    assert max(pending for _, pending in looks) <= foreign + 0.1, "nothing else ran on this core for longer"


AT_EACH_SAMPLE = """
import time
while True:
    time.sleep(max(0, 0.00375 - time.monotonic() % 0.004))
    sample = time.monotonic() // 0.004 * 0.004 + 0.004
    while time.monotonic() < sample + 0.00003:
        pass
"""
"""It uses a tenth of a core, but whenever a kernel with 250 samples a second looks, the core is busy."""


def test_a_process_that_runs_when_the_system_samples_does_not_look_like_another():
    core = min(os.sched_getaffinity(0))
    with running(AT_EACH_SAMPLE, core) as pid:
        use, cpu, before = CoreUse(core), cpu_of(pid), core_use(core) - cpu_of(pid)
        time.sleep(2)
        others = use.by_others(cpu_of(pid) - cpu)
        foreign = core_use(core) - cpu_of(pid) - before

    assert others is not None and others <= foreign + 0.1, "nothing else ran on this core for longer"


def test_threads_that_wait_for_each_other_and_for_others_are_charged_what_they_used():
    core = min(os.sched_getaffinity(0))
    with ExitStack() as stack:
        for _ in range(6):
            stack.enter_context(running(SPIN, core))
        pid = stack.enter_context(running(THREADS, core))
        assert becomes_true(lambda: len(list(Path(f"/proc/{pid}/task").iterdir())) == 4)
        charge = measure(pid, 2.0)

    assert charge.waited > 0.25 * charge.wall
    assert charge.charged < 0.75 * charge.wall


def core_use(core: int) -> float:
    """Seconds that a core has not been idle, from some moment on."""
    return time.monotonic() - idle_seconds(core)


def idle_seconds(core: int) -> float:
    lines = Path("/proc/stat").read_text(encoding="ascii").splitlines()
    fields = next(line.split() for line in lines if line.startswith(f"cpu{core} "))
    return (int(fields[4]) + int(fields[5])) / os.sysconf("SC_CLK_TCK")


def cpu_of(pid: int) -> float:
    return time.clock_gettime(~pid << 3 | 2)


def test_the_charge_of_a_process_remains_after_it_has_ended():
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


def test_the_clock_counts_threads():
    with running(THREADS) as pid:
        clock = LinuxClock(pid)
        assert becomes_true(lambda: clock.threads() == 4)
        clock.close()


def test_the_wall_clock_charges_wall_time():
    clock = WallClock()
    clock.start()
    time.sleep(0.02)
    charge = clock.charge()

    assert charge.charged == charge.wall >= 0.02
    assert (clock.threads(), clock.pending()) == (1, 0.0)
    clock.close()
