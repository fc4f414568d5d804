"""What happens on a worker: it introduces itself, keeps a session for a run, and plays.

The functions are called by the grader through dask, by their names. A session is a plugin of the dask worker: when the worker
is closed, it goes, and its playing process and its folder with it. The games are played in a process beside the worker's own,
whose threads could be in the way of the clock.
"""

import asyncio
import multiprocessing
import os
import platform
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from distributed import WorkerPlugin, get_worker

from grader import __version__
from grader.engine.base import WorkersLost
from grader.engine.cluster import codec as letters
from grader.engine.cluster.packages import needed, reseated, settled, unpack
from grader.engine.jobs import TrialJob, UnitJob
from grader.engine.local import Pool, cores
from grader.fixtures import RULES
from grader.inspection.players import reference_digest, source_digest
from grader.inspection.reference_catalogue import reference_folder
from grader.language import say
from grader.sandbox.file_access import ROOT
from grader.sandbox.machine import best_level
from grader.sandbox.scratch import Scratch, sweep

FORGOTTEN = 60.0
"""Seconds without a job or a parcel after which a worker takes its grader for dead, and clears up. If it is not, it begins anew."""
_LOOKS = 10.0
"""Seconds between two looks whether it is so."""

Play = Callable[[Any, int | None], Any]


def versions() -> dict[str, Any]:
    """Everything that has to be the same on all machines, for the same games to be played."""
    return {
        "python": ".".join(platform.python_version_tuple()[:2]),
        "grader": __version__,
        "rules": RULES,
        "code": source_digest(ROOT / "grader"),  # two of the same version may still differ
        "references": reference_digest(),
    }


def introduce(dask_worker: Any) -> dict[str, Any]:
    """All that the grader wants to know about a worker before it trusts it with games."""
    return {
        **versions(),
        "level": best_level().name,
        "host": socket.gethostname(),
        "machine": _machine(),
        "cores": cores() or list(range(os.cpu_count() or 1)),
        "threads": dask_worker.state.nthreads,
        "daemon": multiprocessing.current_process().daemon,
    }


async def enrol(run: str, core: int, *, dask_worker: Any) -> None:
    """Begin a session for a run, or begin it anew."""
    await dask_worker.plugin_add(plugin=Session(run, core), name=run, catch_errors=False)


async def dismiss(run: str, *, dask_worker: Any) -> None:
    """End the session of a run, and whatever it is playing."""
    if run in dask_worker.plugins:
        await dask_worker.plugin_remove(name=run)
    sweep()  # what a worker that was killed here has left


def receive(run: str, digest: str, data: bytes, *, dask_worker: Any) -> None:
    """Keep a parcel for the time of the session."""
    session = dask_worker.plugins.get(run)
    if session is not None:
        session.keep(digest, data)


def perform(run: str, play: Play, job: TrialJob | UnitJob) -> str:
    """Do a job, or say what is missing for it."""
    worker = get_worker()
    session = worker.plugins.get(run)
    if session is None:
        return letters.stranger(worker.address)
    try:
        return str(session.perform(play, job, worker.address))
    except Exception as error:  # noqa: BLE001  whatever it is, the grader hears of it and gives the job to another
        return letters.failed(worker.address, repr(error))


class Session(WorkerPlugin):  # type: ignore[misc]  # dask's classes are not looked into
    """What a worker keeps for one run."""

    def __init__(self, run: str, core: int) -> None:
        self._run = run
        self._core = core if cores() else None
        self._playing = threading.Lock()
        self._pool: tuple[Play, Pool[Any, Any]] | None = None
        self._over = False
        self._heard = time.monotonic()

    def setup(self, worker: Any) -> None:
        """Called by dask when the session begins."""
        self._scratch = Scratch()
        self._parcels = Path(self._scratch.folder)
        self._look(worker)

    def teardown(self, worker: Any) -> None:  # noqa: ARG002  dask says it
        """Called by dask when the session is over, or the worker is closed."""
        self._timer.cancel()
        self._over = True
        if self._pool is not None:
            self._pool[1].stop()
        with self._playing:  # the job that was being played has given up
            self._close_pool()
        self._scratch.close()

    def keep(self, digest: str, data: bytes) -> None:
        """Unpack a parcel, unless it is there already."""
        if not (self._parcels / digest).exists():
            unpack(data, digest, self._parcels)
        self._heard = time.monotonic()

    def perform(self, play: Play, job: TrialJob | UnitJob, own_address: str) -> str:
        """Do a job, or say which parcels are missing for it."""
        self._heard = time.monotonic()
        missing = [digest for digest in needed(job) if not (self._parcels / digest).exists()]
        if missing:
            return letters.lacks(own_address, missing)
        references = reference_folder().parent
        here = reseated(job, lambda seating: settled(seating, self._parcels, references))
        with self._playing:
            waiting: list[TrialJob | UnitJob] = [here]
            came_of_it: list[letters.Outcome] = []
            pool = None if self._over else self._pool_for(play)
            if (
                pool is None or self._over
            ):  # its folder is gone, or will be: what is missing there is not the player's fault
                return letters.stranger(own_address)
            pool.run(lambda: waiting.pop() if waiting else None, lambda _, outcome: came_of_it.append(outcome))
        self._heard = time.monotonic()
        return letters.outcome(came_of_it[0] if came_of_it else WorkersLost(say("the worker was closed")))

    def _pool_for(self, play: Play) -> Pool[Any, Any]:
        """The process that plays: always the same, as long as it is asked for the same."""
        if self._pool is None or self._pool[0] is not play:
            self._close_pool()
            # Without a server, which would live on with the worker after the run.
            self._pool = play, Pool[Any, Any](play, 1, [self._core], "spawn")
        return self._pool[1]

    def _close_pool(self) -> None:
        if self._pool is not None:
            self._pool[1].close()
            self._pool = None

    def _look(self, worker: Any) -> None:
        """End the session if nobody has asked for anything for long: the grader may have been killed."""
        if time.monotonic() - self._heard > FORGOTTEN and not self._playing.locked():
            worker.loop.add_callback(worker.plugin_remove, name=self._run)
        self._timer = asyncio.get_running_loop().call_later(_LOOKS, self._look, worker)


def _machine() -> str:
    """The same for all workers that share their cores, and for no others."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return socket.gethostname()
