"""Play on this machine: one worker process per core, each playing one job at a time.

If a worker dies, which should never happen, only the job it was playing is lost, and another worker plays it. When the grader
ends for any reason, its workers and their players end too.
"""

import multiprocessing
import os
import signal
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.util import get_temp_dir
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, Literal

from grader.engine.base import JobObserver, JobT, ResultT, WorkersLost
from grader.engine.move_counts import CountMove, MoveCounts
from grader.errors import GraderError
from grader.file_removal import remove_tree
from grader.language import say
from grader.sandbox import scratch
from grader.sandbox.idle_cores import IdleCores
from grader.sandbox.isolation import Level
from grader.sandbox.machine import best_level
from grader.sandbox.templates import close_idle

_STARTING = threading.Lock()
"""Held while a process is started, because all threads share the working folder and the main module."""
OBSERVED_EVERY = 0.5
"""Seconds between two calls of an observer while jobs are being played."""
DEATHS = 3
"""How many workers may die playing a job before it is given up."""


class LocalEngine:
    """The engine that plays on this machine alone. Use it as a context manager: its workers are kept from one run to the next."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: Pool | None = None

    def __enter__(self) -> "LocalEngine":
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def weakest_machine(self) -> tuple[str, Level]:
        """The name of this machine, and its best isolation level."""
        return say("this machine"), best_level()

    def idle_cores(self) -> IdleCores:
        """Measures how much of the cores of this machine is idle while nothing is played."""
        return IdleCores(cores())

    def run(
        self,
        play: Callable[[JobT, int | None, CountMove], ResultT],
        next_job: Callable[[], JobT | None],
        done: Callable[[JobT, ResultT | WorkersLost], None],
        observer: JobObserver[JobT] | None = None,
    ) -> None:
        """Play all jobs on the pool of workers."""
        if self._pool is None:
            self._pool = Pool(self.workers)
        try:
            self._pool.run(play, next_job, done, observer)
        except BaseException:  # its workers may be in the middle of a job
            self._close()
            raise

    def _close(self) -> None:
        if self._pool is not None:
            self._pool.close()
            self._pool = None


class Pool:
    """A pool of worker processes that play jobs with a function that can be pickled: `play(job, core, count_move) -> result`."""

    def __init__(
        self,
        workers: int,
        on: Sequence[int | None] | None = None,
        method: Literal["forkserver", "spawn"] = "spawn" if sys.platform == "win32" else "forkserver",
    ) -> None:
        """`on`: the cores to play on, in turn; by default all cores of this process.

        `method` is how processes are started: quickly, by a server that lives as long as this process, or without one.
        """
        assert workers > 0, "a pool without workers would play nothing"
        self._context: BaseContext = multiprocessing.get_context(method)
        if method == "forkserver":
            self._context.set_forkserver_preload(["grader.engine.match"])
        self._cores: Sequence[int | None] = on if on is not None else cores() or [None]
        self._stopped = False
        self._has_replaced = False
        """Whether a worker has died: a player that it was just starting may be left behind."""
        self._temporary = scratch.Scratch()
        """Where the workers keep their temporary files, which therefore do not outlive a worker that is killed."""
        self._counts = MoveCounts(self._context, workers)
        try:
            self._workers = [self._start_worker(number) for number in range(workers)]
        except BaseException:
            self._temporary.close()
            raise

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all workers, and wait until they are gone."""
        self.stop()
        for worker in self._workers:
            worker.join()
        if self._has_replaced:
            scratch.kill_orphans()
        self._temporary.close()

    def stop(self) -> None:
        """Make `run` return without finishing the current jobs. The only method that another thread may call."""
        self._stopped = True
        for worker in self._workers:
            worker.terminate()

    def run(
        self,
        play: Callable[[JobT, int | None, CountMove], ResultT],
        next_job: Callable[[], JobT | None],
        done: Callable[[JobT, ResultT | WorkersLost], None],
        observer: JobObserver[JobT] | None = None,
    ) -> None:
        """Play the jobs from `next_job` until it returns None and all are finished, as `Engine.run` does."""
        again: deque[tuple[JobT, int]] = deque()
        while not self._stopped:
            for worker in self._workers:
                if worker.job is None:
                    if again:
                        self._give(worker, play, again.popleft(), observer)
                    elif (job := next_job()) is not None:
                        self._give(worker, play, (job, 0), observer)
                    else:
                        break
            busy = {worker.connection: worker for worker in self._workers if worker.job is not None}
            if not busy:
                return
            if observer is not None:
                observer.waiting()
            for ready in wait(list(busy), None if observer is None else OBSERVED_EVERY):
                worker = busy[ready]  # type: ignore[index]  # what is waited for is what comes back
                assert worker.job is not None
                played, deaths = worker.job
                try:
                    result: ResultT | WorkersLost = worker.take()
                except (EOFError, OSError):
                    if self._stopped:
                        return
                    self._replace(worker)
                    if deaths + 1 < DEATHS:
                        again.append((played, deaths + 1))
                        continue
                    result = WorkersLost(say("the process that played it died {count} times", count=DEATHS))
                done(played, result)

    def _give(
        self,
        worker: "_Worker",
        play: Callable[[JobT, int | None, CountMove], ResultT],
        job: tuple[JobT, int],
        observer: JobObserver[JobT] | None,
    ) -> None:
        self._counts.reset(worker.number)
        worker.give(play, job)
        if observer is not None:
            observer.started(job[0], partial(self._counts.reached, worker.number))

    def _start_worker(self, number: int) -> "_Worker":
        with _STARTING, _neutral_folder(), _hidden_main_module():
            core = self._cores[number % len(self._cores)]
            counter = self._counts.counter(number)
            return _Worker(self._context, number, core, counter, self._temporary.folder)

    def _replace(self, worker: "_Worker") -> None:
        self._has_replaced = True
        worker.terminate()
        worker.join()
        self._workers[worker.number] = self._start_worker(worker.number)


@contextmanager
def _neutral_folder() -> Iterator[None]:
    """Start processes from a folder that holds no Python files.

    multiprocessing starts its helpers with `python -c`, which looks for modules in the working folder first: a student's
    `random.py` there would run outside any sandbox.
    """
    try:
        before = os.getcwd()  # noqa: PTH109  `os.chdir` takes a plain text
    except FileNotFoundError:  # it has been removed
        before = os.sep
    os.chdir(os.sep)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _hidden_main_module() -> Iterator[None]:
    """Start processes that do not run the main program again: a library user's script may have no `__main__` guard."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


class _Worker:
    """One worker process, and our end of the pipe to it."""

    def __init__(
        self,
        context: BaseContext,
        number: int,
        core: int | None,
        counter: CountMove,
        temporary: str,
    ) -> None:
        self.number = number
        self.job: tuple[Any, int] | None = None
        """The job it is playing, and how many workers have died playing it."""
        self.connection, theirs = context.Pipe()
        # A daemon: if Ctrl-C comes before the pool is complete, nothing else ends it.
        arguments = (theirs, core, counter, temporary, _server_folder(context))
        self._process = context.Process(target=_serve, args=arguments, daemon=True)  # type: ignore[attr-defined]
        with without_ctrl_c():
            self._process.start()
        theirs.close()

    def give(self, play: Callable[[JobT, int | None, CountMove], Any], job: tuple[JobT, int]) -> None:
        self.job = job
        with suppress(OSError):  # it is dead: `take` will raise
            self.connection.send((play, job[0]))

    def take(self) -> Any:
        result = self.connection.recv()
        self.job = None
        if isinstance(result, GraderError):
            raise result
        return result

    def terminate(self) -> None:
        self._process.terminate()

    def join(self) -> None:
        self._process.join(10)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.connection.close()


@contextmanager
def without_ctrl_c() -> Iterator[None]:
    """Start processes that ignore Ctrl-C at the terminal from their first moment on; meanwhile it is held back here."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # before Python 3.12 it lets signals through again whenever it is started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    heard: list[int] = []
    handler = None
    if threading.current_thread() is threading.main_thread():  # another thread, such as numpy's, may take it for us
        handler = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if heard:
            signal.raise_signal(signal.SIGINT)


def _server_folder(context: BaseContext) -> str | None:
    """The folder with the fork server's socket, or None without such a server. It is removed when this process ends.

    If this process is killed, the workers remove it or, if there are none yet, the next `sweep`.
    """
    if context.get_start_method() != "forkserver":
        return None
    folder: str = get_temp_dir()
    if not scratch.is_held(folder):
        scratch.hold(folder)  # for as long as we live
    return folder


def _serve(
    connection: Connection,
    core: int | None,
    counter: CountMove,
    temporary: str,
    server_folder: str | None,
) -> None:
    """Run a worker: play jobs until the pool closes the pipe. Both folders are removed if the grader is killed."""
    tempfile.tempdir = temporary
    folders = [temporary, *([server_folder] if server_folder else [])]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the grader, which ends its workers itself
    signal.signal(signal.SIGTERM, _exit_on_signal)
    _stay_on(core)
    threading.Thread(target=_die_with_parent, args=(folders,), daemon=True).start()
    try:
        while True:
            try:
                play, job = connection.recv()
            except EOFError:
                return
            try:
                connection.send(play(job, core, counter))
            except GraderError as error:  # it would happen again in every other game: the grader reports it and stops
                connection.send(error)
    finally:
        close_idle()


def _stay_on(core: int | None) -> None:
    """Run this worker on the core of its players: it works while they are frozen, and waking another core takes much longer."""
    if core is not None and hasattr(os, "sched_setaffinity"):
        with suppress(OSError):  # the core has gone offline
            os.sched_setaffinity(0, {core})


def _exit_on_signal(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit  # so that players are ended and folders removed on the way out


def _die_with_parent(folders: Sequence[str]) -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        for folder in folders:
            remove_tree(folder)
        os._exit(1)


def physical_cores() -> int:
    """The number of physical cores, not counting a core's second thread."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return os.cpu_count() or 1
    pairs = set()
    for block in text.split("\n\n"):
        entries = dict(line.split(":", 1) for line in block.splitlines() if ":" in line)
        fields = {name.strip(): value.strip() for name, value in entries.items()}
        if "core id" in fields:
            pairs.add((fields.get("physical id"), fields["core id"]))
    return min(len(pairs), len(cores())) if pairs and cores() else len(pairs) or os.cpu_count() or 1


def cores() -> list[int]:
    """The cores that this process may use; empty if the system does not report them."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
