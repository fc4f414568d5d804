"""The pool of workers on this machine, with real processes."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections import deque
from pathlib import Path
from typing import Any

import pytest

from grader.engine.base import WorkersLost
from grader.engine.local import Pool, physical_cores
from grader.sandbox.isolation import Level
from tests.sandbox.seats import command_of, left_by_bubblewrap, levels
from tests.waiting import becomes_true


def double(job: int, _core: int | None, _count) -> int:
    return 2 * job


def count_moves(job: int, _core: int | None, count) -> int:
    for move in range(1, job + 1):
        count(2, move)
    time.sleep(2)
    return job


def die_on_odd(job: int, _core: int | None, _count) -> int:
    if job % 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return job


def die_once(job: str, _core: int | None, _count) -> str:
    try:
        os.close(os.open(job, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return "second time"
    os._exit(1)


def run_jobs(play, jobs, workers=2):
    waiting = deque(jobs)
    found: dict[Any, Any] = {}
    with Pool(workers) as pool:
        pool.run(play, lambda: waiting.popleft() if waiting else None, found.__setitem__)
    return found


def test_every_job_is_done_once():
    assert run_jobs(double, range(20)) == {job: 2 * job for job in range(20)}


def test_a_worker_that_dies_loses_only_its_own_job():
    found = run_jobs(die_on_odd, range(4))

    assert {job: found[job] for job in (0, 2)} == {0: 0, 2: 2}
    assert all(isinstance(found[job], WorkersLost) for job in (1, 3))


@pytest.mark.parametrize("level", levels(Level.STRONG))
def test_a_player_that_a_dying_worker_was_starting_is_ended(level):  # noqa: ARG001  only where bubblewrap works
    with left_by_bubblewrap() as first:
        run_jobs(die_on_odd, [1])

        assert becomes_true(
            lambda: "bwrap" not in command_of(first)
        )  # it has ended, or is a zombie, which has no command line


def test_a_job_whose_worker_died_is_done_by_another(tmp_path):
    file = str(tmp_path / "tried")

    assert run_jobs(die_once, [file]) == {file: "second time"}


def test_the_next_job_may_depend_on_earlier_results():
    known: list[int] = []

    def following() -> int | None:
        return len(known) if len(known) < 5 else None

    with Pool(1) as pool:
        pool.run(double, following, lambda job, _: known.append(job))

    assert known == [0, 1, 2, 3, 4]


def wait_a_little(job: int, _core: int | None, _count) -> int:
    time.sleep(0.2)
    return job


def test_a_job_may_come_later_than_a_worker_is_idle():
    """While the machine is busy, only one job at a time is given to the workers."""
    waiting, in_progress, most = deque(range(6)), set[int](), list[int]()

    def one_at_a_time() -> int | None:
        if not waiting or in_progress:
            return None
        in_progress.add(job := waiting.popleft())
        return job

    def done(job: int, _result: object) -> None:
        most.append(len(in_progress))
        in_progress.remove(job)

    with Pool(2) as pool:
        pool.run(wait_a_little, one_at_a_time, done)

    assert most == [1] * 6


class Observer:
    """Notes how far each job is whenever the pool waits."""

    def __init__(self) -> None:
        self._running: dict[int, Any] = {}
        self.seen: set[tuple[int, tuple[int, int]]] = set()

    def started(self, job, reached):
        self._running[job] = reached

    def waiting(self):
        self.seen |= {(job, reached()) for job, reached in self._running.items()}


def test_an_observer_sees_the_moves_of_each_worker_while_it_plays():
    jobs, observer = [7, 90], Observer()
    with Pool(2) as pool:
        pool.run(count_moves, lambda: jobs.pop() if jobs else None, lambda *_: None, observer)

    assert {(7, (2, 7)), (90, (2, 90))} <= observer.seen


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_workers_end_when_the_grader_is_killed(tmp_path):
    script = tmp_path / "busy.py"
    (tmp_path / "report.py").write_text(
        textwrap.dedent("""
            import os, time
            def report(job, core, count):
                print(os.getpid(), flush=True)
                time.sleep(60)
        """),
        encoding="utf-8",
    )
    script.write_text(
        textwrap.dedent("""
            from grader.engine.local import Pool
            from report import report
            jobs = [1, 2]
            with Pool(2) as pool:
                pool.run(report, lambda: jobs.pop() if jobs else None, print)
        """),
        encoding="utf-8",
    )
    grader = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert grader.stdout is not None
    workers = [int(grader.stdout.readline()) for _ in range(2)]
    grader.kill()
    grader.wait()
    grader.stdout.close()

    assert becomes_true(lambda: not any(map(alive, workers)))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # it has ended, or ends just now
        return False


def test_a_machine_has_at_least_one_core():
    assert 1 <= physical_cores() <= (os.cpu_count() or 1)
