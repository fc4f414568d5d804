"""The code that runs on a worker: it reports the worker's versions, keeps a session for each run, and plays.

The grader calls these functions through dask, by name. A session is a plugin of the dask worker: when the worker is closed, the
session ends, and with it its playing process and its folder. Games are played in a separate process, because the threads of
the worker's own process could disturb the clock.
"""

import asyncio
import multiprocessing
import os
import platform
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from distributed import WorkerPlugin, get_worker

from grader import __version__
from grader.engine.base import WorkersLost
from grader.engine.cluster import codec
from grader.engine.cluster.packages import localize, map_seatings, required_packages, unpack
from grader.engine.jobs import TrialJob, UnitJob
from grader.engine.local import Pool, cores
from grader.engine.move_counts import CountMove
from grader.errors import GraderFault
from grader.fixtures import RULES
from grader.inspection.players import reference_digest, source_digest
from grader.inspection.reference_catalogue import reference_folder
from grader.language import say
from grader.sandbox.file_access import ROOT
from grader.sandbox.machine import best_level
from grader.sandbox.scratch import Scratch, sweep
from grader.sandbox.speed import core_speed

SESSION_TIMEOUT = 60.0
"""Seconds without a job or a package after which a worker assumes that its grader is dead and ends the session. A grader that
is still alive starts a new one."""
_CHECK_INTERVAL = 10.0
"""Seconds between two checks of that."""

Play = Callable[[Any, int | None, CountMove], Any]


def versions() -> dict[str, Any]:
    """Everything that has to be the same on all machines so that they play the same games."""
    return {
        "python": ".".join(platform.python_version_tuple()[:2]),
        "grader": __version__,
        "rules": RULES,
        "code": source_digest(ROOT / "grader"),  # two copies of the same version may still differ
        "references": reference_digest(),
    }


def introduce(dask_worker: Any) -> dict[str, Any]:
    """Everything the grader checks about a worker before giving it games."""
    return {
        **versions(),
        "level": best_level().name,
        "host": socket.gethostname(),
        "machine": _machine_id(),
        "cores": cores() or list(range(os.cpu_count() or 1)),
        "threads": dask_worker.state.nthreads,
        "daemon": multiprocessing.current_process().daemon,
    }


async def start_session(run: str, core: int, *, dask_worker: Any) -> None:
    """Start a session for a run, or restart it."""
    await dask_worker.plugin_add(plugin=Session(run, core), name=run, catch_errors=False)


async def end_session(run: str, *, dask_worker: Any) -> None:
    """End the session of a run, and the game it is playing."""
    if run in dask_worker.plugins:
        await dask_worker.plugin_remove(name=run)
    sweep()  # removes what a killed worker left on this machine


def receive_package(run: str, digest: str, data: bytes, *, dask_worker: Any) -> None:
    """Store a package for the time of the session."""
    session = dask_worker.plugins.get(run)
    if session is not None:
        session.store_package(digest, data)


def perform(run: str, play: Play, job: TrialJob | UnitJob) -> str:
    """Do a job. Returns the encoded answer: the outcome, or what is missing."""
    worker = get_worker()
    session = worker.plugins.get(run)
    if session is None:
        return codec.encode_answer(codec.UnknownRun(worker.address))
    try:
        return str(session.perform(play, job, worker.address))
    except Exception as error:  # noqa: BLE001  whatever it is, the grader gives the job to another worker
        return codec.encode_answer(codec.WorkerFailure(worker.address, repr(error)))


class Session(WorkerPlugin):  # type: ignore[misc]  # dask has no types
    """A worker's state for one run: a folder with packages, and the process that plays."""

    def __init__(self, run: str, core: int) -> None:
        self._run = run
        self._core = core if cores() else None
        self._playing = threading.Lock()
        self._pool: Pool | None = None
        self._is_over = False
        self._last_used = time.monotonic()

    def setup(self, worker: Any) -> None:
        """Called by dask when the session begins."""
        self._scratch = Scratch()
        self._packages = Path(self._scratch.folder)
        self._end_if_idle(worker)

    def teardown(self, worker: Any) -> None:  # noqa: ARG002  dask passes it
        """Called by dask when the session is over, or the worker is closed."""
        self._timer.cancel()
        self._is_over = True
        if self._pool is not None:
            self._pool.stop()
        with self._playing:  # wait until the job that was being played has been abandoned
            self._close_pool()
        self._scratch.close()

    def store_package(self, digest: str, data: bytes) -> None:
        """Unpack a package, unless it is there already."""
        if not (self._packages / digest).exists():
            unpack(data, digest, self._packages)
        self._last_used = time.monotonic()

    def perform(self, play: Play, job: TrialJob | UnitJob, own_address: str) -> str:
        """Do a job. Returns the encoded answer: the outcome, or which packages are missing."""
        self._last_used = time.monotonic()
        missing = [digest for digest in required_packages(job) if not (self._packages / digest).exists()]
        if missing:
            return codec.encode_answer(codec.MissingPackages(own_address, tuple(sorted(missing))))
        references = reference_folder().parent
        here = map_seatings(job, lambda seating: localize(seating, self._packages, references))
        with self._playing:
            waiting: list[TrialJob | UnitJob] = [here]
            outcomes: list[codec.JobOutcome] = []
            with suppress(GraderFault):  # where limits depend on it, the job says so
                core_speed(self._core)
            pool = None if self._is_over else self._kept_pool()
            if pool is None or self._is_over:  # its folder is gone, or soon will be, which is not the player's fault
                return codec.encode_answer(codec.UnknownRun(own_address))
            pool.run(play, lambda: waiting.pop() if waiting else None, lambda _, outcome: outcomes.append(outcome))
        self._last_used = time.monotonic()
        return codec.encode_answer(outcomes[0] if outcomes else WorkersLost(say("the worker was closed")))

    def _kept_pool(self) -> Pool:
        """The process that plays, kept until the session is over."""
        if self._pool is None:
            # Spawned: a fork server would keep running in the worker after the run.
            self._pool = Pool(1, [self._core], "spawn")
        return self._pool

    def _close_pool(self) -> None:
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def _end_if_idle(self, worker: Any) -> None:
        """End the session if the grader has sent nothing for long: it may have been killed."""
        if time.monotonic() - self._last_used > SESSION_TIMEOUT and not self._playing.locked():
            worker.loop.add_callback(worker.plugin_remove, name=self._run)
        self._timer = asyncio.get_running_loop().call_later(_CHECK_INTERVAL, self._end_if_idle, worker)


def _machine_id() -> str:
    """An id that only workers on the same machine share."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return socket.gethostname()
