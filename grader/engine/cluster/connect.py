"""Where a cluster is: a scheduler that runs, one that is started here to try it out, or one with workers that Slurm starts."""

import asyncio
import importlib.util
import logging
import os
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.engine.local import cores, without_ctrl_c
from grader.errors import OptionError
from grader.language import say
from grader.sandbox.scratch import Scratch

if TYPE_CHECKING:
    from grader.engine.cluster.engine import Cluster
    from grader.engine.cluster.workers import Tell

_PATIENCE = 60.0
"""Seconds to wait for workers, where they are not waited for in a queue."""

_Start = Callable[[Path], AbstractContextManager[Any]]
"""Starts or finds a scheduler, with a folder for what it writes; what was started is ended in the end."""


def cluster_at(place: str, tell: "Tell") -> "AbstractContextManager[Cluster]":
    """The cluster that `--cluster` means. What was started for it is ended with it.

    Raises `OptionError` at once for what cannot be meant: whatever else there is to do is done when it is entered.
    """
    _check_installed("distributed", place)
    start, patience = _meant(place, tell)
    return _begun(place, start, tell, patience)


def _meant(place: str, tell: "Tell") -> tuple[_Start, float | None]:
    """How to come to the scheduler, and how long to wait for its workers."""
    from grader.engine.cluster.address import read_address

    if address := read_address(place):
        return lambda _: nullcontext(address.meet(tell)), _PATIENCE
    if local := re.fullmatch(r"local:([1-9]\d*)", place):
        workers = int(local[1])
        _check_cores(workers)
        return lambda scratch: _local(workers, scratch), _PATIENCE
    if place.startswith("slurm:") and place != "slurm:":
        _check_installed("dask_jobqueue", place)
        from grader.engine.cluster.slurm import read_settings, slurm_cluster

        settings = read_settings(Path(place.removeprefix("slurm:")))
        return lambda scratch: slurm_cluster(place, settings, scratch), None
    raise OptionError(
        say(
            "--cluster {place}: write tcp://HOST:PORT for a scheduler that runs, local:N to try it out with N workers here, or "
            "slurm:FILE with a file of settings.",
            place=place,
        )
    )


@contextmanager
def _begun(place: str, start: _Start, tell: "Tell", patience: float | None) -> Iterator["Cluster"]:
    import dask
    from distributed import Client

    from grader.engine.cluster.address import CONNECTS
    from grader.engine.cluster.engine import Cluster
    from grader.engine.cluster.transport import ClusterError

    settings = {
        "distributed.comm.timeouts.connect": f"{CONNECTS}s",
        "distributed.worker.daemon": False,  # a daemon must not have children, and the process that plays is one
        "distributed.admin.tick.limit": "1h",
        "distributed.scheduler.worker-ttl": "30s",  # one that has been frozen for so long is lost
    }
    _silence()
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(Scratch()).folder)
        stack.enter_context(dask.config.set({**settings, "temporary-directory": str(scratch)}))
        scheduler = stack.enter_context(start(scratch))
        try:
            client = stack.enter_context(Client(scheduler, timeout=CONNECTS, set_as_default=False))
        except (OSError, TimeoutError, asyncio.TimeoutError) as error:
            raise ClusterError(
                say("{cluster}: the scheduler has answered, and is lost again. Run it again.", cluster=place)
            ) from error
        parcels = scratch / "parcels"
        parcels.mkdir()
        yield stack.enter_context(Cluster(client, place, parcels, tell, patience))


def _check_cores(workers: int) -> None:
    there_are = len(cores()) or os.cpu_count() or 1
    if workers > there_are:
        raise OptionError(
            say(
                "--cluster local:{workers}: this machine has {cores} cores, and each worker needs one. Write local:{cores}.",
                workers=workers,
                cores=there_are,
            )
        )


def _local(workers: int, scratch: Path) -> Any:
    from distributed import LocalCluster

    from grader.engine.cluster.transport import ClusterError

    try:
        with without_ctrl_c():  # so that none of the threads that start workers lets it through
            return LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,  # players have limits of their own, and are not in the worker's process
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
                local_directory=str(scratch),
            )
    except (OSError, RuntimeError) as error:
        raise ClusterError(
            say(
                "local:{workers}: its workers could not be started ({problem}). Run it again, or without --cluster.",
                workers=workers,
                problem=str(error),
            )
        ) from error


def _check_installed(module: str, place: str) -> None:
    if importlib.util.find_spec(module) is None:
        raise OptionError(
            say(
                "--cluster {place}: the package {package} is not installed. Write `pip install '.[cluster]'` in the folder from "
                "which this grader was installed.",
                place=place,
                package=module.replace("_", "-"),
            )
        )


def _silence() -> None:
    """What dask says of its own comings and goings is told by us where it matters."""
    for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module=r"(distributed|dask|dask_jobqueue)(\.|$)")
