"""The workers of a cluster during a run: which have joined and left, which may play, and which packages each has."""

import math
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from grader import __version__
from grader.engine.base import ClusterError, Notify
from grader.engine.cluster.packages import Packages
from grader.engine.cluster.transport import PendingAnswer, Transport, is_lost
from grader.engine.cluster.worker import end_session, introduce, receive_package, start_session, versions
from grader.engine.cluster.worker_checks import (
    Worker,
    WorkerRegistry,
    no_fit_workers,
    no_fit_workers_yet,
    no_workers,
    python_mismatch,
    still_no_workers,
    unfit_workers,
    worker_label,
)
from grader.errors import OptionError
from grader.language import Message, say
from grader.sandbox.isolation import Level

_POLL_INTERVAL = 2.0
"""Seconds between two checks of which workers have joined and left."""
_ANSWER_TIMEOUT = 10.0
"""Seconds within which a worker has to answer."""
_TRANSFER_TIMEOUT = 60.0
"""Seconds that sending a submission may take; a worker's session lasts at least as long."""
_TRANSFER_WAIT = 1.0
"""Seconds to wait for that transfer. If it takes longer, other workers play meanwhile."""
_QUEUE_HINT_AFTER = 60.0
"""Seconds of waiting for queued jobs after which a message says how to look at the queue."""
_DISMISS_TIMEOUT = 3.0
"""Seconds that workers have to end their sessions. A frozen one does it later."""


@dataclass(slots=True)
class _Newcomer:
    """A worker that has been asked for its facts."""

    pending: PendingAnswer
    since: float
    late: bool = False
    """Whether it has not answered in time, which has been reported."""


@dataclass(slots=True)
class _Transfer:
    """A package on its way to a worker."""

    digest: str
    start: Callable[[], PendingAnswer]
    pending: PendingAnswer
    since: float


class ClusterWorkers:
    """The workers of a scheduler, checked before they play."""

    def __init__(self, transport: Transport, name: str, run: str, notify: Notify, patience: float | None) -> None:
        """`patience`: seconds to wait for a first worker, and for another when all are gone; None for no limit."""
        self._transport, self._name, self._run, self._notify, self._patience = transport, name, run, notify, patience
        self._registry = WorkerRegistry(versions())
        self._newcomers: dict[str, _Newcomer] = {}
        self._refused: set[str] = set()
        self._crowded: set[str] = set()
        """The refused workers for which no core was free: one may be free when another worker leaves."""
        self._silent: set[str] = set()
        self._joined_at: dict[str, float] = {}
        """When each worker's session was started or restarted."""
        self._sent: dict[tuple[str, str], float] = {}
        """When each package (by worker and digest) had arrived."""
        self._transfers: dict[str, _Transfer] = {}
        """At most one package per worker, so that each has the whole time limit."""
        self._last_worker_at = time.monotonic()
        """When there was last a worker."""
        self._level = Level.NONE
        """The isolation level that a worker has to offer."""
        try:
            self._wait_for_workers()
        except BaseException:
            self.end_run()
            raise
        self._level = self._registry.weakest_worker().level
        self._updated_at = time.monotonic()
        notify(self._summary())

    @property
    def addresses(self) -> list[str]:
        """The addresses of the workers that may play."""
        return self._registry.addresses

    @property
    def ready(self) -> list[str]:
        """The addresses of the workers to which no package is being sent."""
        return [address for address in self._registry.addresses if address not in self._transfers]

    def weakest_worker(self) -> Worker:
        """A worker with the lowest isolation level."""
        return self._registry.weakest_worker()

    def poll(self) -> None:
        """Check the transfers, and every few seconds the workers."""
        self._check_transfers()
        if time.monotonic() - self._updated_at >= _POLL_INTERVAL:
            self.update()

    def update(self) -> None:
        """Find out which workers have joined and left. Raises `ClusterError` if all are gone, or the scheduler is."""
        present = self._transport.known_workers()
        self._refused &= present
        for address in set(self._registry.addresses) - present:
            if (worker := self._remove(address)) is not None:
                self._notify(say("Lost {worker}; the game it was playing will be played again.", worker=worker.name))
        self._report_frozen()
        for unfit, problem in self._admit_newcomers(present):
            self._report_unfit(unfit, problem)
        self._updated_at = time.monotonic()
        self._check_patience()

    def rejoin(self, address: str, submitted_at: float) -> None:
        """Register a worker again that had no session for a job from `submitted_at`, unless it has got one since."""
        if submitted_at >= self._joined_at.get(address, 0.0) and self._remove(address) is not None:
            for worker, problem in self._admit(address, self._ask(address, introduce)):
                self._report_unfit(worker, problem)

    def send_package(self, address: str, digest: str, packages: Packages, submitted_at: float) -> None:
        """Send a worker a package that it lacks for a job. Until it has arrived, the worker is not ready.

        A worker that had the package when the job was submitted has lost it and is no longer used.
        """
        had = self._sent.get((address, digest), math.inf)
        if had < submitted_at:
            self.refuse(address, say("it has lost a submission that it was sent"))
        if had < math.inf or address not in self.ready:
            return
        start = partial(
            self._transport.start, address, receive_package, self._run, digest, packages.read_package(digest)
        )
        transfer = self._transfers[address] = _Transfer(digest, start, start(), time.monotonic())
        wait([transfer.pending], _TRANSFER_WAIT)
        self._check_transfers()

    def refuse(self, address: str, why: str) -> None:
        """Stop using a worker on which the grader's own code fails."""
        worker = self._remove(address)
        if worker is not None:
            self._refused.add(address)
            self._transport.ask(end_session, self._run, workers=[address], seconds=_DISMISS_TIMEOUT)
            self._notify(say("No longer using {worker}: {problem}.", worker=worker.name, problem=why))

    def end_run(self) -> None:
        """End the run's session on all workers. Workers that cannot be reached end it themselves."""
        requests: list[_Newcomer | _Transfer] = [*self._newcomers.values(), *self._transfers.values()]
        for request in requests:
            request.pending.cancel()
        with suppress(ClusterError):
            self._transport.ask(end_session, self._run, workers=self._registry.addresses, seconds=_DISMISS_TIMEOUT)

    def _ask(self, address: str, what: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function on one worker. Returns its answer or exception."""
        return self._transport.ask(what, *arguments, workers=[address], seconds=_ANSWER_TIMEOUT)[address]

    def _check_transfers(self) -> None:
        """Mark workers as ready whose package has arrived; refuse those to which it cannot be sent."""
        for address, transfer in list(self._transfers.items()):
            if transfer.pending.done():
                answer = self._transport.answer(transfer.pending)
                if not isinstance(answer, Exception):
                    del self._transfers[address]
                    self._sent[address, transfer.digest] = time.monotonic()
                elif is_lost(answer):
                    transfer.pending = transfer.start()
                else:
                    self.refuse(address, str(getattr(answer, "strerror", None) or repr(answer)))
            if address in self._transfers and time.monotonic() - transfer.since > _TRANSFER_TIMEOUT:
                self.refuse(
                    address,
                    say("sending it a submission took longer than {seconds:.0f} s", seconds=_TRANSFER_TIMEOUT),
                )

    def _remove(self, address: str) -> Worker | None:
        """Remove a worker and cancel its transfer. Returns it, if it was registered."""
        transfer = self._transfers.pop(address, None)
        if transfer is not None:
            transfer.pending.cancel()
        self._refused -= self._crowded
        self._crowded.clear()
        return self._registry.remove(address)

    def _wait_for_workers(self) -> None:
        """Wait for the first workers and register them. Raises if one of them cannot play."""
        notified = hinted = False
        problems: list[tuple[Message, Message]] = []
        while True:
            problems += self._admit_newcomers(self._transport.known_workers())
            if all(newcomer.late for newcomer in self._newcomers.values()):
                if problems:
                    raise OptionError(unfit_workers(self._name, problems))
                if self._registry.addresses:
                    return
            self._check_patience()
            if not notified and time.monotonic() - self._last_worker_at > _POLL_INTERVAL:
                notified = True
                self._notify(say("{cluster}: waiting for workers…", cluster=self._name))
            if not hinted and self._patience is None and time.monotonic() - self._last_worker_at > _QUEUE_HINT_AFTER:
                hinted = True
                self._notify(still_no_workers(self._name))
            time.sleep(0.1)

    def _admit_newcomers(self, present: set[str]) -> list[tuple[Message, Message]]:
        """Ask new workers for their facts and register those that can play. Returns the others, each with its problem.

        This does not wait for a worker that is slow to answer: its answer counts whenever it comes.
        """
        new = present - {*self._registry.addresses, *self._refused}
        self._newcomers = {
            address: self._newcomers.get(address)
            or _Newcomer(self._transport.start(address, introduce), time.monotonic())
            for address in sorted(new)
        }
        problems: list[tuple[Message, Message]] = []
        for address, newcomer in list(self._newcomers.items()):
            if newcomer.pending.done():
                answer = self._transport.answer(newcomer.pending)
                if isinstance(answer, Exception) and is_lost(answer):
                    newcomer.pending = self._transport.start(address, introduce)
                else:
                    del self._newcomers[address]
                    problems += self._admit(address, answer)
            if not newcomer.late and time.monotonic() - newcomer.since > _ANSWER_TIMEOUT:
                newcomer.late = True
                self._notify(
                    say("No answer from {worker}; it will not be used until it responds.", worker=worker_label(address))
                )
        return problems

    def _admit(self, address: str, answer: Any) -> Iterator[tuple[Message, Message]]:
        """Register a worker by its answer, or yield its name and problem. A worker that is lost may come back."""
        if not isinstance(answer, Exception):
            name, problem = worker_label(address, answer.get("host")), self._start_session(address, answer)
        elif not is_lost(answer):
            name, problem = worker_label(address), self._introduction_problem(address, answer)
        else:
            return
        if problem is not None:
            self._refused.add(address)
            yield name, problem

    def _start_session(self, address: str, facts: Mapping[str, Any]) -> Message | None:
        """Register a worker and start its session. Returns why it cannot play, if so."""
        worker = self._registry.register(address, facts, self._level)
        if isinstance(worker, Message):
            if facts.get("cores") and not self._registry.free_cores(facts):
                self._crowded.add(address)
            return worker
        self._sent = {(other, digest): at for (other, digest), at in self._sent.items() if other != address}
        answer = self._ask(address, start_session, self._run, worker.core)
        if isinstance(answer, Exception):
            self._registry.remove(address)
            return None if is_lost(answer) else say("it cannot start: {problem}", problem=repr(answer))
        self._joined_at[address] = time.monotonic()
        return None

    def _introduction_problem(self, address: str, error: Exception) -> Message:
        """Why a worker cannot report its facts."""
        python = self._ask(address, platform.python_version)
        here, there = versions()["python"], ".".join(str(python).split(".")[:2])
        if isinstance(python, str) and there != here:
            return python_mismatch(there, here)
        return say(
            "it cannot load grader {version} ({problem}): run `pip install '.[cluster]'` there, in a copy of the folder from which "
            "this machine's grader was installed",
            version=__version__,
            problem=str(error),
        )

    def _report_unfit(self, worker: Message, problem: Message) -> None:
        self._notify(say("Not using {worker}: {problem}.", worker=worker, problem=problem))

    def _report_frozen(self) -> None:
        """Report workers that have stopped responding; the scheduler drops them later."""
        silent = self._transport.silent_workers(_ANSWER_TIMEOUT)
        for worker in self._registry.workers:
            if worker.address in silent - self._silent:
                self._notify(
                    say(
                        "No response from {worker}; its game will be played again once the scheduler drops it.",
                        worker=worker.name,
                    )
                )
        self._silent = silent

    def _check_patience(self) -> None:
        """Raise if there has been no worker for too long."""
        now = time.monotonic()
        if self._registry.addresses:
            self._last_worker_at = now
        elif self._patience is not None and now - self._last_worker_at > self._patience:
            raise ClusterError(self._no_workers_message())

    def _no_workers_message(self) -> Message:
        if not self._refused and not self._newcomers:
            return no_workers(self._name)
        notified = all(newcomer.late for newcomer in self._newcomers.values())
        return no_fit_workers(self._name) if notified else no_fit_workers_yet(self._name)

    def _summary(self) -> Message:
        by_level = self._registry.by_level()
        levels = ", ".join(f"{level} ({len(workers)})" for level, workers in by_level.items())
        return say(
            "{cluster}: {workers} on {machines}, isolation level {levels}.",
            cluster=self._name,
            workers=say("{n} worker", "{n} workers", n=len(self._registry.addresses)),
            machines=say("{n} machine", "{n} machines", n=len({worker.machine for worker in self._registry.workers})),
            levels=levels if len(by_level) > 1 else str(self._level),
        )
