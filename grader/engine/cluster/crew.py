"""The workers of a cluster as a run sees them: who has come and gone, who may play, and what each has been sent."""

import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

from distributed import Client
from distributed import TimeoutError as DaskTimeoutError

from grader import __version__
from grader.engine.cluster.parcels import Parcels
from grader.engine.cluster.roll import Roll, Worker, called
from grader.engine.cluster.worker import dismiss, enrol, introduce, receive, versions
from grader.errors import GraderError, OptionError
from grader.language import Message, say
from grader.sandbox.isolation import Level

_LOOKS = 2.0
"""Seconds between two looks at who has come and gone."""

GONE = (OSError, DaskTimeoutError, RuntimeError, AttributeError)
"""What dask's client raises when the scheduler is gone: at first that, then that it is closed, then that it has none."""

Tell = Callable[[Message], None]
"""Hears what a person should know while a run goes on."""


class ClusterError(GraderError):
    """The cluster cannot be reached, or has gone."""


class Crew:
    """All workers that a scheduler has, checked before they play."""

    def __init__(self, client: Client, name: str, run: str, tell: Tell, patience: float | None) -> None:
        """`patience` is how long to wait for a first worker, and for another when all are gone; None for ever."""
        self._client, self._name, self._run, self._tell, self._patience = client, name, run, tell, patience
        self._roll = Roll(versions())
        self._refused: set[str] = set()
        self._sent: set[tuple[str, str]] = set()
        self._seen = time.monotonic()
        """When there was a worker last."""
        self._level = Level.NONE
        """The least that a worker has to offer."""
        try:
            self._gather()
        except BaseException:
            self.dismiss()
            raise
        self._level = self._roll.weakest().level
        self._looked = time.monotonic()
        tell(self._introduction())

    @property
    def addresses(self) -> list[str]:
        """Of the workers that may play."""
        return self._roll.addresses

    def weakest(self) -> Worker:
        """One that walls players in no better than any other."""
        return self._roll.weakest()

    def look_now_and_then(self) -> None:
        """Look, if it has not been done just now."""
        if time.monotonic() - self._looked >= _LOOKS:
            self.look()

    def look(self) -> None:
        """See who has come and gone. Raises `ClusterError` if that was everybody, or the scheduler."""
        present = self._present()
        self._refused &= present
        for address in set(self._roll.addresses) - present:
            self._say_goodbye(address)
        for worker, problem in self._taken_in(present - set(self._roll.addresses) - self._refused):
            self._tell(say("{worker} is not used: {problem}.", worker=worker, problem=problem))
        self._looked = time.monotonic()
        self._be_patient()

    def renew(self, address: str) -> None:
        """Take a worker in again that has forgotten the run."""
        if self._roll.strike(address) is not None:
            self.look()

    def send(self, address: str, digest: str, parcels: Parcels) -> None:
        """Give a worker a parcel, unless it has been given it."""
        if (address, digest) in self._sent or address not in self._roll.addresses:
            return
        for answer in self._ask(receive, self._run, digest, parcels.read(digest), workers=[address]).values():
            if not isinstance(answer, Exception):
                self._sent.add((address, digest))
            elif not _lost(answer):
                self.refuse(address, repr(answer))

    def refuse(self, address: str, why: str) -> None:
        """Have a worker play no more on which something of ours goes wrong."""
        worker = self._roll.strike(address)
        if worker is not None:
            self._refused.add(address)
            self._ask(dismiss, self._run, workers=[address])
            self._tell(say("{worker} is not used any more: {problem}.", worker=worker.name, problem=why))

    def dismiss(self) -> None:
        """Have all workers forget the run, and end what they are playing. If the cluster is gone, they do so by themselves."""
        with suppress(ClusterError):
            self._ask(dismiss, self._run, workers=self._roll.addresses)

    def _gather(self) -> None:
        """Take in the workers that there are, as soon as there are any. Raises if one of them is not fit."""
        told = False
        while not self._roll.addresses:
            problems = self._taken_in(self._present())
            if problems:
                raise _unfit(self._name, problems)
            self._be_patient()
            if not told and time.monotonic() - self._seen > _LOOKS:
                told = True
                self._tell(say("{cluster}: waiting for workers.", cluster=self._name))
            time.sleep(0.1)

    def _taken_in(self, addresses: set[str]) -> list[tuple[Message, Message]]:
        """Check new workers and have those play that can. Returns the others, and why not."""
        problems: list[tuple[Message, Message]] = []
        for address, answer in sorted(self._ask(introduce, workers=addresses).items()):
            if isinstance(answer, Exception) and _lost(answer):
                continue  # in the meantime; and if it has not, it will be asked again
            problem = _without_grader(answer) if isinstance(answer, Exception) else self._begun(address, answer)
            if problem is not None:
                self._refused.add(address)
                name = say("worker {address}", address=address)
                problems.append((name if isinstance(answer, Exception) else called(address, answer["host"]), problem))
        return problems

    def _begun(self, address: str, facts: Mapping[str, Any]) -> Message | None:
        """Have a worker open a session, or say why it cannot play."""
        worker = self._roll.enter(address, facts, self._level)
        if isinstance(worker, Message):
            return worker
        self._sent = {(other, digest) for other, digest in self._sent if other != address}
        for answer in self._ask(enrol, self._run, worker.core, workers=[address]).values():
            if isinstance(answer, Exception):
                self._roll.strike(address)
                return None if _lost(answer) else say("it cannot begin: {problem}", problem=repr(answer))
        return None

    def _say_goodbye(self, address: str) -> None:
        worker = self._roll.strike(address)
        if worker is not None:
            self._tell(say("{worker} is gone. What it was playing is played again.", worker=worker.name))

    def _be_patient(self) -> None:
        """Raise if there has been no worker for too long."""
        now = time.monotonic()
        if self._roll.addresses:
            self._seen = now
        elif self._patience is not None and now - self._seen > self._patience:
            raise ClusterError(
                say(
                    "{cluster}: the scheduler has no workers that can play. Start some with `dask worker {cluster} --nthreads "
                    "1 --nworkers N` on other machines, and run the same command again.",
                    cluster=self._name,
                )
            )

    def _present(self) -> set[str]:
        """The addresses of all workers that the scheduler knows."""
        try:
            return set(self._client.nthreads())
        except GONE as error:
            raise self._gone() from error

    def _ask(self, what: Callable[..., Any], *arguments: Any, workers: Collection[str]) -> dict[str, Any]:
        """Call a function on workers. Returns what each said, or the exception that kept it from it."""
        if not workers:
            return {}
        try:
            answers: dict[str, Any] = self._client.run(what, *arguments, workers=sorted(workers), on_error="return")
        except GONE as error:
            raise self._gone() from error
        return answers

    def _gone(self) -> ClusterError:
        return ClusterError(
            say(
                "{cluster}: the scheduler does not answer any more. What was played is kept: start it again, and the same "
                "command goes on from here.",
                cluster=self._name,
            )
        )

    def _introduction(self) -> Message:
        by_level = self._roll.by_level()
        levels = ", ".join(f"{level} ({len(workers)})" for level, workers in by_level.items())
        return say(
            "{cluster}: workers: {workers}, machines: {machines}, isolation: {levels}.",
            cluster=self._name,
            workers=len(self._roll.addresses),
            machines=len({worker.machine for workers in by_level.values() for worker in workers}),
            levels=levels if len(by_level) > 1 else str(self._level),
        )


def _lost(error: Exception) -> bool:
    """Whether it says that a worker is gone, and not what went wrong there: that has a number, or is something else."""
    return isinstance(error, OSError) and error.errno is None


def _unfit(name: str, problems: list[tuple[Message, Message]]) -> OptionError:
    (worker, problem), *others = problems
    if not others:
        return OptionError(
            say(
                "{cluster}: {worker} cannot play: {problem}. Mend or stop it, and run it again.",
                cluster=name,
                worker=worker,
                problem=problem,
            )
        )
    return OptionError(
        say(
            "{cluster}: {worker} cannot play: {problem}. Nor can {count} others: {names}. Mend or stop them, and run it again.",
            cluster=name,
            worker=worker,
            problem=problem,
            count=len(others),
            names=", ".join(who for who, _ in others),
        )
    )


def _without_grader(error: Exception) -> Message:
    return say(
        "it has no grader {version} ({problem}): install the same one there, with `pip install 'grader[cluster]'`",
        version=__version__,
        problem=str(error),
    )
