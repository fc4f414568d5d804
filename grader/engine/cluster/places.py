"""Where a cluster is: a scheduler that runs, one that is started here to try it out, or one with workers that Slurm starts."""

import asyncio
import importlib.util
import logging
import os
import re
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from grader.engine.local import cores, without_ctrl_c
from grader.errors import OptionError
from grader.language import say
from grader.sandbox.scratch import Scratch

if TYPE_CHECKING:
    from grader.engine.cluster.crew import Tell
    from grader.engine.cluster.engine import Cluster

_CONNECTS = 10
"""Seconds within which a scheduler has to answer."""
_PATIENCE = 60.0
"""Seconds to wait for workers, where they are not waited for in a queue."""
_SETTINGS = {
    "distributed.comm.timeouts.connect": f"{_CONNECTS}s",
    "distributed.worker.daemon": False,  # a daemon must not have children, and the process that plays is one
    "distributed.admin.tick.limit": "1h",
    "distributed.scheduler.worker-ttl": "30s",  # one that has been frozen for so long is lost
}
_NON_DAEMONIC = "export DASK_DISTRIBUTED__WORKER__DAEMON=False"


@contextmanager
def cluster_at(place: str, tell: "Tell") -> Iterator["Cluster"]:
    """The cluster that `--cluster` means. What was started for it is ended with it."""
    _check_installed("distributed", place)
    import dask
    from distributed import Client

    from grader.engine.cluster.engine import Cluster
    from grader.engine.cluster.line import ClusterError

    _silence()
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(Scratch()).folder)
        stack.enter_context(dask.config.set({**_SETTINGS, "temporary-directory": str(scratch)}))
        address, patience = _scheduler(place, scratch, stack)
        try:
            if address == place:
                asyncio.run(asyncio.wait_for(_meet(address), _CONNECTS))
            client = stack.enter_context(Client(address, timeout=_CONNECTS, set_as_default=False))
        except (OSError, TimeoutError, asyncio.TimeoutError) as error:
            raise ClusterError(
                say(
                    "{cluster}: no scheduler answers there. Start it with `dask scheduler`, or look at the address and the "
                    "firewall.",
                    cluster=place,
                )
            ) from error
        parcels = scratch / "parcels"
        parcels.mkdir()
        yield stack.enter_context(Cluster(client, place, parcels, tell, patience))


def _scheduler(place: str, scratch: Path, stack: ExitStack) -> tuple[Any, float | None]:
    """The scheduler, started if need be, and how long to wait for its workers."""
    if re.match(r"(tcp|tls)://.+:\d+$", place):
        return place, _PATIENCE
    if local := re.fullmatch(r"local:([1-9]\d*)", place):
        return stack.enter_context(_local(int(local[1]), scratch)), _PATIENCE
    if place.startswith("slurm:"):
        return stack.enter_context(_slurm(place, scratch)), None
    raise OptionError(
        say(
            "--cluster {place}: write tcp://HOST:PORT for a scheduler that runs, local:N to try it out with N workers here, or "
            "slurm:FILE with a file of settings.",
            place=place,
        )
    )


async def _meet(address: str) -> None:
    """Raise `OSError` if what is there is no scheduler: dask's client would wait for ever for something else to speak."""
    from distributed.core import rpc
    from distributed.security import Security

    arguments = Security().get_connection_args("client")
    if address.startswith("tls:") and arguments.get("ssl_context") is None:
        raise OptionError(
            say(
                "--cluster {place}: no certificates are set for tls. Set them as Dask's documentation says: {page}.",
                place=address,
                page="https://distributed.dask.org/en/stable/tls.html",
            )
        )
    try:
        async with rpc(address, connection_args=arguments) as there:
            told = (await there.identity())["type"]
    except Exception as error:  # what is said by something else may be taken for anything, such as for a very long text
        raise OSError(repr(error)) from error
    if told != "Scheduler":
        raise OSError(told)


def _local(workers: int, scratch: Path) -> Any:
    from distributed import LocalCluster

    from grader.engine.cluster.line import ClusterError

    there_are = len(cores()) or os.cpu_count() or 1
    if workers > there_are:
        raise OptionError(
            say(
                "--cluster local:{workers}: this machine has {cores} cores, and each worker needs one. Write local:{cores}.",
                workers=workers,
                cores=there_are,
            )
        )
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


def _slurm(place: str, scratch: Path) -> Any:
    _check_installed("dask_jobqueue", place)
    from dask_jobqueue import SLURMCluster

    settings = _settings(Path(place.removeprefix("slurm:")))
    jobs = settings.pop("jobs")
    settings.setdefault("processes", settings.get("cores", 1))  # one thread a worker
    settings["job_script_prologue"] = [_NON_DAEMONIC, *settings.get("job_script_prologue", [])]
    settings["scheduler_options"] = {"dashboard_address": None, **settings.get("scheduler_options", {})}
    try:
        cluster = SLURMCluster(**settings)
    except (TypeError, ValueError, OSError) as error:  # what is written there is no setting, or cannot be
        raise OptionError(say("--cluster {place}: {problem}", place=place, problem=str(error))) from error
    try:
        _check_with_slurm(place, cluster.job_script(), scratch / "job.sh")
    except OptionError:
        cluster.close()
        raise
    cluster.adapt(minimum_jobs=jobs, maximum_jobs=jobs)  # which starts another for a job that is lost; `scale` does not
    return cluster


def _check_with_slurm(place: str, script: str, file: Path) -> None:
    """Raise `OptionError` if Slurm would not take a job: dask would only try again and again."""
    file.write_text(script, encoding="utf-8")
    try:
        tried = subprocess.run(["sbatch", "--test-only", file], capture_output=True, text=True, check=False)  # noqa: S603, S607  Slurm is where the path finds it
    except FileNotFoundError as error:
        raise OptionError(
            say(
                "--cluster {place}: there is no sbatch here. Run it on a machine from which Slurm takes jobs.",
                place=place,
            )
        ) from error
    if tried.returncode != 0:
        problem = tried.stderr.strip()
        raise OptionError(
            say("--cluster {place}: Slurm does not take the job. {problem}", place=place, problem=problem)
        )


def _settings(file: Path) -> dict[str, Any]:
    """The keyword arguments of SLURMCluster in a YAML file, and `jobs`: how many to start."""
    try:
        settings = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise OptionError(say("--cluster slurm:{file}: {problem}", file=str(file), problem=str(error))) from error
    if not isinstance(settings, dict) or not isinstance(settings.get("jobs"), int) or settings["jobs"] < 1:
        raise OptionError(
            say(
                "{file}: write `jobs: N`, the number of Slurm jobs to start, and beside it what dask_jobqueue.SLURMCluster takes, "
                "as `cores: 4` and `memory: 8GB`.",
                file=str(file),
            )
        )
    return settings


def _check_installed(module: str, place: str) -> None:
    if importlib.util.find_spec(module) is None:
        raise OptionError(
            say(
                "--cluster {place}: the package {package} is not installed. Install it with `pip install 'grader[cluster]'`.",
                place=place,
                package=module.replace("_", "-"),
            )
        )


def _silence() -> None:
    """What dask says of its own comings and goings is told by us where it matters."""
    for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module=r"(distributed|dask|dask_jobqueue)(\.|$)")
