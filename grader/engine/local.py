"""Play on this machine: one worker process a core, each playing one unit of work at a time.

A worker that dies (it never should) loses only the unit it was playing, which is given to another. Workers end when the
grader is gone, however it went, and take their players with them.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from pathlib import Path
from types import FrameType
from typing import Generic, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")

DEATHS = 3
"""How many workers a unit of work may take with it before it is given up."""


class WorkersLost(Exception):
    """A unit of work that every worker died of."""


class Pool(Generic[Job, Result]):
    """Plays jobs by a function that can be pickled: `play(job, core) -> result`."""

    def __init__(self, play: Callable[[Job, int | None], Result], workers: int) -> None:
        self._play = play
        method = "spawn" if sys.platform == "win32" else "forkserver"
        self._context: BaseContext = multiprocessing.get_context(method)
        if method == "forkserver":
            self._context.set_forkserver_preload(["grader.engine.match"])
        self._cores = _cores()
        self._workers = [self._started(number) for number in range(workers)]

    def __enter__(self) -> "Pool[Job, Result]":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.end()
        for worker in self._workers:
            worker.gone()

    def run(self, next_job: Callable[[], Job | None], done: Callable[[Job, Result | WorkersLost], None]) -> None:
        """Play what `next_job` gives until it has no more and all are done; `done` hears of each in this process.

        `next_job` is asked again after each result: what it gives may depend on what is known by then.
        """
        again: deque[tuple[Job, int]] = deque()
        while True:
            for worker in self._workers:
                if worker.job is None:
                    task = again.popleft() if again else _fresh(next_job())
                    if task is None:
                        break
                    worker.give(task)
            busy = {worker.connection: worker for worker in self._workers if worker.job is not None}
            if not busy:
                return
            for ready in wait(list(busy)):
                worker = busy[ready]  # type: ignore[index]  # what is waited for is what comes back
                assert worker.job is not None
                job, deaths = worker.job
                try:
                    result: Result | WorkersLost = worker.take()
                except (EOFError, OSError):
                    self._replace(worker)
                    if deaths + 1 < DEATHS:
                        again.append((job, deaths + 1))
                        continue
                    result = WorkersLost(f"the process that played it died {DEATHS} times")
                done(job, result)

    def _started(self, number: int) -> "_Worker[Job, Result]":
        core = self._cores[number % len(self._cores)] if self._cores else None
        return _Worker(self._context, self._play, number, core)

    def _replace(self, worker: "_Worker[Job, Result]") -> None:
        worker.end()
        worker.gone()
        self._workers[worker.number] = self._started(worker.number)


def _fresh(job: Job | None) -> tuple[Job, int] | None:
    return None if job is None else (job, 0)


class _Worker(Generic[Job, Result]):
    """One process and the end of the pipe to it."""

    def __init__(
        self, context: BaseContext, play: Callable[[Job, int | None], Result], number: int, core: int | None
    ) -> None:
        self.number = number
        self.job: tuple[Job, int] | None = None
        """What it is playing, and how many workers that has cost so far."""
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, play, core))  # type: ignore[attr-defined]
        self._process.start()
        theirs.close()

    def give(self, job: tuple[Job, int]) -> None:
        self.job = job
        with suppress(OSError):  # it is dead: `take` will say so
            self.connection.send(job[0])

    def take(self) -> Result:
        result: Result = self.connection.recv()
        self.job = None
        return result

    def end(self) -> None:
        self._process.terminate()

    def gone(self) -> None:
        self._process.join(10)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.connection.close()


def _serve(connection: Connection, play: Callable[[Job, int | None], Result], core: int | None) -> None:
    """The life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the grader, which ends its workers in its own way
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    while True:
        try:
            job = connection.recv()
        except EOFError:
            return
        connection.send(play(job, core))


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit  # so that players are ended and folders cleared on the way out


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def physical_cores() -> int:
    """How many cores there are, not counting a core's second thread."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return os.cpu_count() or 1
    pairs = set()
    for block in text.split("\n\n"):
        entries = dict(line.split(":", 1) for line in block.splitlines() if ":" in line)
        named = {name.strip(): value.strip() for name, value in entries.items()}
        if "core id" in named:
            pairs.add((named.get("physical id"), named["core id"]))
    return min(len(pairs), len(_cores())) if pairs and _cores() else len(pairs) or os.cpu_count() or 1


def _cores() -> list[int]:
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
