"""The workers of a cluster as a run sees them: who has come and gone, who may play, and what each has been sent."""

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
from grader.engine.cluster.no_workers import nobody_can_play, nobody_can_play_yet, nobody_is_there, still_nobody, unfit
from grader.engine.cluster.packages import Parcels
from grader.engine.cluster.transport import ClusterError, Line, Question, lost
from grader.engine.cluster.worker import dismiss, enrol, introduce, receive, versions
from grader.engine.cluster.worker_checks import Roll, Worker, called, other_python
from grader.errors import OptionError
from grader.language import Message, say
from grader.sandbox.isolation import Level

_LOOKS = 2.0
"""Seconds between two looks at who has come and gone."""
_ANSWERS = 10.0
"""Seconds within which a worker has to answer."""
_CARRIES = 60.0
"""Seconds that a submission may take to come to a worker, which has not forgotten the run by then."""
_MOMENT = 1.0
"""Seconds that are waited for it. A longer way is not waited for: others play meanwhile."""
_WONDERS = 60.0
"""Seconds after which somebody who waits for jobs should look what has become of them."""
_PARTS = 3.0
"""Seconds that workers have to end what they are playing. One that is frozen does it later."""

Tell = Callable[[Message], None]
"""Hears what a person should know while a run goes on."""


@dataclass(slots=True)
class _Newcomer:
    """A worker that has been asked who it is."""

    question: Question
    since: float
    late: bool = False
    """Whether it has not answered in time, and that has been said."""


@dataclass(slots=True)
class _Sending:
    """A parcel on its way to a worker."""

    digest: str
    begin: Callable[[], Question]
    question: Question
    since: float


class Crew:
    """All workers that a scheduler has, checked before they play."""

    def __init__(self, line: Line, name: str, run: str, tell: Tell, patience: float | None) -> None:
        """`patience` is how long to wait for a first worker, and for another when all are gone; None for ever."""
        self._line, self._name, self._run, self._tell, self._patience = line, name, run, tell, patience
        self._roll = Roll(versions())
        self._newcomers: dict[str, _Newcomer] = {}
        self._refused: set[str] = set()
        self._crowded: set[str] = set()
        """Those of them for whom there was no core: there may be one when another is gone."""
        self._silent: set[str] = set()
        self._enrolled: dict[str, float] = {}
        """When each worker has begun with the run, or begun anew."""
        self._sent: dict[tuple[str, str], float] = {}
        """When each worker had what it was sent."""
        self._sending: dict[str, _Sending] = {}
        """At most one parcel for each worker, so that each has all of its time."""
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

    @property
    def ready(self) -> list[str]:
        """Those of them that are not being sent anything."""
        return [address for address in self._roll.addresses if address not in self._sending]

    def weakest(self) -> Worker:
        """One that walls players in no better than any other."""
        return self._roll.weakest()

    def look_now_and_then(self) -> None:
        """Look at what has been sent, and at the workers if it has not been done just now."""
        self._see_what_has_come()
        if time.monotonic() - self._looked >= _LOOKS:
            self.look()

    def look(self) -> None:
        """See who has come and gone. Raises `ClusterError` if that was everybody, or the scheduler."""
        present = self._line.present()
        self._refused &= present
        for address in set(self._roll.addresses) - present:
            self._say_goodbye(address)
        self._name_the_frozen()
        for worker, problem in self._taken_in(present):
            self._leave_out(worker, problem)
        self._looked = time.monotonic()
        self._be_patient()

    def renew(self, address: str, given: float) -> None:
        """Take a worker in again that has forgotten the run, unless it has been since it was given the job for which it says so."""
        if given >= self._enrolled.get(address, 0.0) and self._struck(address) is not None:
            answer = self._line.ask(introduce, workers=[address], seconds=_ANSWERS)[address]
            for worker, problem in self._met(address, answer):
                self._leave_out(worker, problem)

    def send(self, address: str, digest: str, parcels: Parcels, given: float) -> None:
        """Give a worker a parcel that it lacks for a job. If that takes long, it is not ready until it has it.

        If it had it when it was given the job, it cannot keep it, and plays no more.
        """
        had = self._sent.get((address, digest), math.inf)
        if had < given:
            self.refuse(address, say("it has lost a submission that it was sent"))
        if had < math.inf or address not in self.ready:
            return
        begin = partial(self._line.begin, address, receive, self._run, digest, parcels.read(digest))
        sending = self._sending[address] = _Sending(digest, begin, begin(), time.monotonic())
        wait([sending.question], _MOMENT)
        self._see_what_has_come()

    def refuse(self, address: str, why: str) -> None:
        """Have a worker play no more on which something of ours goes wrong."""
        worker = self._struck(address)
        if worker is not None:
            self._refused.add(address)
            self._line.ask(dismiss, self._run, workers=[address], seconds=_PARTS)
            self._tell(say("{worker} is not used any more: {problem}.", worker=worker.name, problem=why))

    def dismiss(self) -> None:
        """Have all workers forget the run, and end what they are playing. Those that are not reached do so by themselves."""
        questions = [newcomer.question for newcomer in self._newcomers.values()]
        for question in (*questions, *(sending.question for sending in self._sending.values())):
            question.cancel()
        with suppress(ClusterError):
            self._line.ask(dismiss, self._run, workers=self._roll.addresses, seconds=_PARTS)

    def _see_what_has_come(self) -> None:
        """Have workers go on that have what they were sent, and refuse those to which it does not come."""
        for address, sending in list(self._sending.items()):
            if sending.question.done():
                answer = self._line.answer(sending.question)
                if not isinstance(answer, Exception):
                    del self._sending[address]
                    self._sent[address, sending.digest] = time.monotonic()
                elif lost(answer):
                    sending.question = sending.begin()
                else:
                    self.refuse(address, str(getattr(answer, "strerror", None) or repr(answer)))
            if address in self._sending and time.monotonic() - sending.since > _CARRIES:
                self.refuse(
                    address, say("a submission has not come to it within {seconds:.0f} seconds", seconds=_CARRIES)
                )

    def _struck(self, address: str) -> Worker | None:
        """Take a worker off the roll, and send it nothing more. Returns it, if it was there."""
        sending = self._sending.pop(address, None)
        if sending is not None:
            sending.question.cancel()
        self._refused -= self._crowded
        self._crowded.clear()
        return self._roll.strike(address)

    def _gather(self) -> None:
        """Take in the workers that there are, as soon as there are any. Raises if one of them is not fit."""
        told = wondered = False
        problems: list[tuple[Message, Message]] = []
        while True:
            problems += self._taken_in(self._line.present())
            if all(
                newcomer.late for newcomer in self._newcomers.values()
            ):  # who has not answered by now is not waited for
                if problems:
                    raise OptionError(unfit(self._name, problems))
                if self._roll.addresses:
                    return
            self._be_patient()
            if not told and time.monotonic() - self._seen > _LOOKS:
                told = True
                self._tell(say("{cluster}: waiting for workers.", cluster=self._name))
            if not wondered and self._patience is None and time.monotonic() - self._seen > _WONDERS:
                wondered = True
                self._tell(still_nobody(self._name))
            time.sleep(0.1)

    def _taken_in(self, present: set[str]) -> list[tuple[Message, Message]]:
        """Ask new workers who they are, and have those play that can. Returns those that cannot, and why not.

        One that does not answer is waited for by nobody: its answer counts whenever it comes.
        """
        new = present - {*self._roll.addresses, *self._refused}
        self._newcomers = {address: self._newcomers.get(address) or self._newcomer(address) for address in sorted(new)}
        problems: list[tuple[Message, Message]] = []
        for address, newcomer in list(self._newcomers.items()):
            if newcomer.question.done():
                answer = self._line.answer(newcomer.question)
                if isinstance(answer, Exception) and lost(answer):
                    newcomer.question = self._line.begin(address, introduce)
                else:
                    del self._newcomers[address]
                    problems += self._met(address, answer)
            if not newcomer.late and time.monotonic() - newcomer.since > _ANSWERS:
                newcomer.late = True
                self._tell(say("{worker} does not answer. It is not used until it does.", worker=called(address)))
        return problems

    def _newcomer(self, address: str) -> "_Newcomer":
        return _Newcomer(self._line.begin(address, introduce), time.monotonic())

    def _met(self, address: str, answer: Any) -> Iterator[tuple[Message, Message]]:
        """Have a worker play that has said who it is, or say why it cannot. One that is lost again may come back."""
        if not isinstance(answer, Exception):
            name, problem = called(address, answer.get("host")), self._begun(address, answer)
        elif not lost(answer):
            name, problem = called(address), self._speechless(address, answer)
        else:
            return
        if problem is not None:
            self._refused.add(address)
            yield name, problem

    def _begun(self, address: str, facts: Mapping[str, Any]) -> Message | None:
        """Have a worker open a session, or say why it cannot play."""
        worker = self._roll.enter(address, facts, self._level)
        if isinstance(worker, Message):
            if facts.get("cores") and not self._roll.free_cores(facts):
                self._crowded.add(address)
            return worker
        self._sent = {(other, digest): at for (other, digest), at in self._sent.items() if other != address}
        answer = self._line.ask(enrol, self._run, worker.core, workers=[address], seconds=_ANSWERS)[address]
        if isinstance(answer, Exception):
            self._roll.strike(address)
            return None if lost(answer) else say("it cannot begin: {problem}", problem=repr(answer))
        self._enrolled[address] = time.monotonic()
        return None

    def _speechless(self, address: str, error: Exception) -> Message:
        """Why a worker cannot say who it is."""
        python = self._line.ask(platform.python_version, workers=[address], seconds=_ANSWERS)[address]
        here, there = versions()["python"], ".".join(str(python).split(".")[:2])
        if isinstance(python, str) and there != here:
            return other_python(there, here)
        return say(
            "it cannot load grader {version} ({problem}): write `pip install '.[cluster]'` there, in a copy of the folder from "
            "which this machine's was installed",
            version=__version__,
            problem=str(error),
        )

    def _leave_out(self, worker: Message, problem: Message) -> None:
        self._tell(say("{worker} is not used: {problem}.", worker=worker, problem=problem))

    def _say_goodbye(self, address: str) -> None:
        worker = self._struck(address)
        if worker is not None:
            self._tell(say("{worker} is gone. What it was playing is played again.", worker=worker.name))

    def _name_the_frozen(self) -> None:
        """Say of whom nothing is heard any more; the scheduler gives up on them."""
        silent = self._line.silent(_ANSWERS)
        for worker in self._roll.workers:
            if worker.address in silent - self._silent:
                self._tell(
                    say(
                        "{worker} does not answer any more. What it was playing is played again once the scheduler gives it up.",
                        worker=worker.name,
                    )
                )
        self._silent = silent

    def _be_patient(self) -> None:
        """Raise if there has been no worker for too long."""
        now = time.monotonic()
        if self._roll.addresses:
            self._seen = now
        elif self._patience is not None and now - self._seen > self._patience:
            raise ClusterError(self._why_nobody_plays())

    def _why_nobody_plays(self) -> Message:
        if not self._refused and not self._newcomers:
            return nobody_is_there(self._name)
        told = all(newcomer.late for newcomer in self._newcomers.values())
        return nobody_can_play(self._name) if told else nobody_can_play_yet(self._name)

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
