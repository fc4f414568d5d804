"""Open the cluster given by `--cluster`: a running scheduler, one started here to try it out, or one with Slurm workers."""

import asyncio
import importlib.util
import logging
import os
import re
import socket
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.engine.base import ClusterError, Engine, Notify
from grader.engine.cluster.private_cluster import as_environment, private_settings, without_web_servers
from grader.engine.cluster.slurm import read_settings, slurm_cluster
from grader.engine.local import cores, without_ctrl_c
from grader.errors import OptionError
from grader.language import Message, say
from grader.sandbox.scratch import Scratch

CONNECT_TIMEOUT = 10
"""Seconds within which a scheduler has to answer."""
_NOTICE_AFTER = 2.0
"""Seconds after which a message says what the command is waiting for."""
_WORKER_PATIENCE = 60.0
"""Seconds to wait for workers that do not come through a queue."""

_Start = Callable[[Path], AbstractContextManager[Any]]
"""Starts or finds a scheduler, given a folder for its files; what it started ends with the context."""


def cluster_at(place: str, notify: Notify) -> AbstractContextManager[Engine]:
    """The cluster given by `--cluster`. What was started for it ends with it.

    Raises `OptionError` at once if `place` is invalid; everything else happens when the context is entered.
    """
    _check_installed("distributed", place)
    start, patience = _parse_place(place, notify)
    return _open_cluster(place, start, notify, patience)


def _parse_place(place: str, notify: Notify) -> tuple[_Start, float | None]:
    """How to start or find the scheduler, and how long to wait for its workers."""
    if address := _read_address(place):
        return lambda _: nullcontext(address.wait_for_scheduler(notify)), _WORKER_PATIENCE
    if local := re.fullmatch(r"local:([1-9]\d*)", place):
        workers = int(local[1])
        _check_cores(workers)
        _check_installed("cryptography", place)
        return lambda scratch: _private_cluster(lambda _: _local_cluster(workers, scratch)), _WORKER_PATIENCE
    if place.startswith("slurm:") and place != "slurm:":
        _check_installed("dask_jobqueue", place)
        _check_installed("cryptography", place)
        settings = read_settings(Path(place.removeprefix("slurm:")))
        return lambda scratch: _private_cluster(lambda keys: slurm_cluster(place, settings, keys, scratch)), None
    raise OptionError(
        say(
            "--cluster {place}: use tls://HOST:PORT for a running scheduler, local:N to try it out with N workers on this "
            "machine, or slurm:FILE with a settings file.",
            place=place,
        )
    )


@contextmanager
def _open_cluster(place: str, start: _Start, notify: Notify, patience: float | None) -> Iterator[Engine]:
    import dask  # here, like all imports of dask: it need not be installed
    from distributed import Client
    from distributed.gc import disable_gc_diagnosis

    from grader.engine.cluster.engine import ClusterEngine

    settings = {
        "distributed.comm.timeouts.connect": f"{CONNECT_TIMEOUT}s",
        "distributed.worker.daemon": False,  # a daemon must not have children, and the process that plays is one
        "distributed.admin.tick.limit": "1h",
        "distributed.scheduler.worker-ttl": "30s",  # a worker frozen for longer is lost
    }
    _silence_dask()
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(Scratch()).folder)
        stack.enter_context(dask.config.set({**settings, "temporary-directory": str(scratch)}))
        scheduler = stack.enter_context(start(scratch))
        try:
            client = stack.enter_context(Client(scheduler, timeout=CONNECT_TIMEOUT, set_as_default=False))
        except (OSError, TimeoutError, asyncio.TimeoutError) as error:
            raise ClusterError(
                say("{cluster}: lost the connection to the scheduler. Run the same command again.", cluster=place)
            ) from error
        disable_gc_diagnosis(force=True)  # Python ignores a Ctrl-C that arrives while this callback of Dask runs
        packages = scratch / "packages"
        packages.mkdir()
        yield stack.enter_context(closing(ClusterEngine(client, place, packages, notify, patience)))


@contextmanager
def _private_cluster(start: Callable[[list[str]], Any]) -> Iterator[Any]:
    """A cluster that only this run can use; `start` gets the shell commands that let workers on other machines join."""
    import dask

    settings = private_settings()
    with dask.config.set({**settings, **without_web_servers()}), start(as_environment(settings)) as cluster:
        yield cluster


def _check_cores(workers: int) -> None:
    available = len(cores()) or os.cpu_count() or 1
    if workers > available:
        raise OptionError(
            say(
                "--cluster local:{workers}: each worker needs its own core, but this machine has only {cores}. Use "
                "local:{cores}.",
                workers=workers,
                cores=available,
            )
        )


def _local_cluster(workers: int, scratch: Path) -> Any:
    from distributed import LocalCluster

    try:
        with without_ctrl_c():  # so that none of the threads that start workers lets it through
            return LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,  # players have limits of their own, and are not in the worker's process
                protocol="tls://",
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
                local_directory=str(scratch),
            )
    except (OSError, RuntimeError) as error:
        raise ClusterError(
            say(
                "local:{workers}: the workers could not be started ({problem}). Run it again, or without --cluster.",
                workers=workers,
                problem=str(error),
            )
        ) from error


def _check_installed(module: str, place: str) -> None:
    if importlib.util.find_spec(module) is None:
        raise OptionError(
            say(
                "--cluster {place}: the package {package} is not installed. Run `pip install '.[cluster]'` in the folder from "
                "which this grader was installed.",
                place=place,
                package=module.replace("_", "-"),
            )
        )


def _silence_dask() -> None:
    """Silence dask's own log messages: the grader reports what matters."""
    for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module=r"(distributed|dask|dask_jobqueue)(\.|$)")


@dataclass(frozen=True, slots=True)
class Address:
    """A scheduler's address, as written and split into its parts."""

    written: str
    host: str
    port: int

    def wait_for_scheduler(self, notify: Notify) -> str:
        """Wait until a scheduler answers, and return its address for dask. Raises `ClusterError` if none does."""
        if self.written.startswith("tcp:"):
            notify(
                say(
                    "{cluster}: warning: connections without TLS are neither encrypted nor authenticated: anyone who can reach "
                    "the scheduler or a worker can run code there, and change grades. Start them with TLS certificates and use "
                    "tls://; see {page}.",
                    cluster=self.written,
                    page="docs/instructors/many-machines.md",
                )
            )
        try:
            socket.getaddrinfo(self.host, self.port)
            asyncio.run(asyncio.wait_for(self._wait(notify), CONNECT_TIMEOUT))
        except (OSError, UnicodeError, asyncio.TimeoutError) as error:
            raise ClusterError(self._explain(error)) from error
        return self.written

    async def _wait(self, notify: Notify) -> None:
        check = asyncio.ensure_future(_check_identity(self.written))
        done, _ = await asyncio.wait({check}, timeout=_NOTICE_AFTER)
        if not done:
            notify(say("{cluster}: waiting for the scheduler…", cluster=self.written))
        await check

    def _explain(self, error: Exception) -> Message:
        """Why the scheduler cannot be reached, as far as that can be detected."""
        if isinstance(error, (socket.gaierror, UnicodeError)):  # an unknown host, or not a host name at all
            return say(
                "{cluster}: unknown host {host}. Check the address.",
                cluster=self.written,
                host=self.host,
            )
        try:
            socket.create_connection((self.host, self.port), _NOTICE_AFTER).close()
        except ConnectionRefusedError:
            return say(
                "{cluster}: the machine can be reached, but no scheduler is listening on port {port}. Start one with `dask "
                "scheduler --port {port}`, or check the port.",
                cluster=self.written,
                port=self.port,
            )
        except OSError:
            pass  # no answer at all, or not in time
        return say(
            "{cluster}: no scheduler answers at this address. Start one with `dask scheduler`, or check the address and the "
            "firewall.",
            cluster=self.written,
        )


def _read_address(place: str) -> Address | None:
    """Parse an address; None if `place` is something else. Raises `OptionError` if the address cannot be used."""
    parts = re.fullmatch(r"(tcp|tls)://(.+):(\d+)", place)
    if parts is None:
        return None
    address = Address(place, parts[2].strip("[]"), int(parts[3]))
    if not 1 <= address.port <= 65_535:
        raise OptionError(
            say(
                "--cluster {place}: {port} is not a valid port. Use a number from 1 to 65535; a scheduler's default is 8786.",
                place=place,
                port=address.port,
            )
        )
    if parts[1] == "tls" and _connection_arguments().get("ssl_context") is None:
        raise OptionError(
            say(
                "--cluster {place}: no TLS certificates are configured. See {page}.",
                place=place,
                page="https://distributed.dask.org/en/stable/tls.html",
            )
        )
    return address


async def _check_identity(address: str) -> None:
    """Raise `OSError` if what answers is not a scheduler: dask's client would wait for it forever."""
    from distributed.core import rpc

    try:
        async with rpc(address, connection_args=_connection_arguments()) as there:
            kind = (await there.identity())["type"]
    except Exception as error:  # another program's bytes can be misread as anything, e.g. as a very long text
        raise OSError(repr(error)) from error
    if kind != "Scheduler":
        raise OSError(kind)


def _connection_arguments() -> dict[str, Any]:
    from distributed.security import Security

    return dict(Security().get_connection_args("client"))
