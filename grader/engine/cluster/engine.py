"""The engine that plays on a cluster: keeps a window of jobs at the workers, and hears what came of them.

Whatever happens to a worker, its jobs come back here and are given to others, a bounded number of times. If the scheduler is
gone, the run ends, and nothing that was finished is lost.
"""

import queue
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

from distributed import CancelledError, Client, Future

from grader.engine.base import Job, Result, WorkersLost
from grader.engine.cluster import codec as letters
from grader.engine.cluster.packages import Parcels, reseated
from grader.engine.cluster.transport import GONE, Line
from grader.engine.cluster.worker import perform
from grader.engine.cluster.workers import Crew, Tell
from grader.engine.local import DEATHS
from grader.errors import RecordError
from grader.language import say
from grader.sandbox.isolation import Level

WINDOW = 4
"""Jobs that are under way for each worker: it has the next one before it has finished the last."""
_WAITS = 0.5
"""Seconds to wait for an answer before looking round."""
_TAKES = 10.0
"""Seconds that an answer may take to come over once it is there."""


class Cluster:
    """An engine. Use it as a context manager: it leaves nothing on the workers."""

    def __init__(self, client: Client, name: str, scratch: Path, tell: Tell, patience: float | None) -> None:
        """`patience` is how long to wait for a first worker, and for another when all are gone; None for ever."""
        self._client = client
        self._run = f"grader-{uuid.uuid4().hex}"
        self._parcels = Parcels(scratch)
        self._crew = Crew(Line(client, name), name, self._run, tell, patience)

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self._crew.dismiss()

    @property
    def workers(self) -> int:
        """How many games are played at a time."""
        return len(self._crew.addresses)

    def weakest(self) -> tuple[str, Level]:
        """The worker that walls players in least, and how well it does."""
        worker = self._crew.weakest()
        return worker.name, worker.level

    def run(
        self,
        play: Callable[[Job, int | None], Result],
        next_job: Callable[[], Job | None],
        done: Callable[[Job, Result | WorkersLost], None],
    ) -> None:
        """Play what there is on all workers, a window of it at a time."""
        under_way: dict[str, _Given[Job]] = {}
        answered: queue.SimpleQueue[Future] = queue.SimpleQueue()
        again: deque[_Task[Job]] = deque()
        try:
            while True:
                for task in self._to_give(again, next_job, under_way):
                    given = self._give(play, task)
                    under_way[given.future.key] = given
                    given.future.add_done_callback(answered.put)
                if not under_way and not again and self._crew.addresses:
                    return
                for given in _taken(answered, under_way):
                    outcome = self._heard(given)
                    given.future.release()
                    if outcome is None:
                        again.append(given.task)
                    else:
                        done(given.task.job, outcome)  # type: ignore[arg-type]  # the job's kind tells the outcome's
                self._crew.look_now_and_then()
                again.extend(self._stranded(under_way))
        finally:
            self._call_back([given.future for given in under_way.values()])

    def _to_give(
        self, again: "deque[_Task[Job]]", next_job: Callable[[], Job | None], under_way: "dict[str, _Given[Job]]"
    ) -> "Iterator[_Task[Job]]":
        """What to play next, as far as the window has room for it, and that of the workers that are ready."""
        ready = set(self._crew.ready)
        theirs = sum(given.workers <= ready for given in under_way.values())
        for _ in range(min(WINDOW * len(self._crew.addresses) - len(under_way), WINDOW * len(ready) - theirs)):
            if again:
                yield again.popleft()
            elif (job := next_job()) is not None:
                yield _Task(job)
            else:
                return

    def _give(self, play: Callable[..., Any], task: "_Task[Job]") -> "_Given[Job]":
        workers = self._crew.ready
        portable = reseated(task.job, self._parcels.portable)  # type: ignore[arg-type]  # there are two kinds of jobs
        # Each is a new piece of work for dask, even if it has seen one like it: whether it has been played, the store knows.
        future = self._client.submit(perform, self._run, play, portable, workers=workers, pure=False)
        return _Given(task, future, frozenset(workers), time.monotonic())

    def _heard(self, given: "_Given[Job]") -> letters.Outcome | None:
        """What came of a job; None if it has to be given again."""
        task, future = given.task, given.future
        if future.status == "error":  # such as KilledWorker: dask has tried several
            return task.failed(str(future.exception()))
        if future.status != "finished":  # called back by nobody here: it may be the scheduler that is gone
            self._crew.look()
            return None
        try:
            answer = letters.read(future.result(timeout=_TAKES))
        except (
            *GONE,
            CancelledError,
            RecordError,
        ) as error:  # the worker that had it went before it was fetched, or went mad
            return task.failed(str(error))
        if isinstance(answer, letters.Stranger):
            self._crew.renew(answer.worker, given.at)
            return None
        if isinstance(answer, letters.Lacks):
            if not all(
                digest in self._parcels for digest in answer.digests
            ):  # it is sent no other file of this machine
                return task.failed(say("{worker} asks for what is no submission", worker=answer.worker))
            for digest in answer.digests:
                self._crew.send(answer.worker, digest, self._parcels, given.at)
            return None
        if isinstance(answer, letters.Failed):
            self._crew.refuse(answer.worker, answer.why)
            return task.failed(answer.why)
        return task.failed(str(answer)) if isinstance(answer, WorkersLost) else answer

    def _stranded(self, under_way: "dict[str, _Given[Job]]") -> "Iterator[_Task[Job]]":
        """Jobs that nobody is left to do of those that they were given to."""
        present = set(self._crew.addresses)
        for key, given in list(under_way.items()):
            if not given.workers & present:
                del under_way[key]
                self._call_back([given.future])
                yield given.task

    def _call_back(self, futures: list[Future]) -> None:
        with suppress(*GONE):  # with the scheduler, all that it was to do is gone
            self._client.cancel(futures, force=True)


@dataclass(slots=True)
class _Task(Generic[Job]):
    """A job, and how often it has failed."""

    job: Job
    deaths: int = 0

    def failed(self, why: str) -> WorkersLost | None:
        """Once more; None if it may be tried again."""
        self.deaths += 1
        if self.deaths < DEATHS:
            return None
        return WorkersLost(
            say("{times} workers that were to play it have failed: {reason}", times=self.deaths, reason=why)
        )


@dataclass(frozen=True, slots=True)
class _Given(Generic[Job]):
    """A job under way."""

    task: _Task[Job]
    future: Future
    workers: frozenset[str]
    """Those that may do it."""
    at: float
    """When it was given to them."""


def _taken(answered: "queue.SimpleQueue[Future]", under_way: dict[str, _Given[Job]]) -> Iterator[_Given[Job]]:
    """The jobs that have come back, after waiting for a first for a moment. What was called back is not among them."""
    try:
        future = answered.get(timeout=_WAITS)
        while True:
            given = under_way.pop(future.key, None)
            if given is not None:
                yield given
            future = answered.get_nowait()
    except queue.Empty:
        return
