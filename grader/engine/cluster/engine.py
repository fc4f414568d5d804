"""The engine that plays on a cluster: it keeps a window of jobs on the workers and collects their results.

Whatever happens to a worker, its jobs come back here and are given to others, a limited number of times. If the scheduler is
lost, the run ends, but no finished game is lost.
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

from grader.engine.base import JobObserver, JobT, Notify, ResultT, WorkersLost
from grader.engine.cluster import codec
from grader.engine.cluster.packages import Packages, map_seatings
from grader.engine.cluster.transport import GONE, Transport
from grader.engine.cluster.worker import perform
from grader.engine.cluster.workers import ClusterWorkers
from grader.engine.local import DEATHS
from grader.engine.move_counts import CountMove
from grader.errors import RecordError
from grader.language import say
from grader.sandbox.isolation import Level

WINDOW = 4
"""Jobs submitted at a time for each worker, so that it has the next one before it finishes the last."""
_POLL_TIMEOUT = 0.5
"""Seconds to wait for an answer before checking the workers."""
_FETCH_TIMEOUT = 10.0
"""Seconds that fetching a finished answer may take."""


class ClusterEngine:
    """The engine of a cluster. Once closed, it has left nothing on the workers."""

    def __init__(self, client: Client, name: str, scratch: Path, notify: Notify, patience: float | None) -> None:
        """`patience`: seconds to wait for a first worker, and for another when all are gone; None for no limit."""
        self._client = client
        self._run = f"grader-{uuid.uuid4().hex}"
        self._packages = Packages(scratch)
        self._workers = ClusterWorkers(Transport(client, name), name, self._run, notify, patience)

    def close(self) -> None:
        """End the run's session on all workers."""
        self._workers.end_run()

    @property
    def workers(self) -> int:
        """The number of games played at a time."""
        return len(self._workers.addresses)

    def weakest_machine(self) -> tuple[str, Level]:
        """The worker with the lowest isolation level, and that level."""
        worker = self._workers.weakest_worker()
        return worker.name, worker.level

    def idle_cores(self) -> None:
        """Not known: how busy this machine is does not matter for games on others."""
        return

    def run(
        self,
        play: Callable[[JobT, int | None, CountMove], ResultT],
        next_job: Callable[[], JobT | None],
        done: Callable[[JobT, ResultT | WorkersLost], None],
        observer: JobObserver[JobT] | None = None,  # noqa: ARG002  moves are not reported across machines
    ) -> None:
        """Play all jobs on the workers, a window of them at a time."""
        under_way: dict[str, _SubmittedTask[JobT]] = {}
        answered: queue.SimpleQueue[Future] = queue.SimpleQueue()
        retries: deque[_Task[JobT]] = deque()
        try:
            while True:
                for task in self._next_tasks(retries, next_job, under_way):
                    submitted = self._submit(play, task)
                    under_way[submitted.future.key] = submitted
                    submitted.future.add_done_callback(answered.put)
                if not under_way and not retries and self._workers.addresses:
                    return
                for submitted in _finished_tasks(answered, under_way):
                    outcome = self._read_result(submitted)
                    submitted.future.release()
                    if outcome is None:
                        retries.append(submitted.task)
                    else:
                        done(submitted.task.job, outcome)  # type: ignore[arg-type]  # the job's kind tells the outcome's
                self._workers.poll()
                retries.extend(self._stranded_tasks(under_way))
        finally:
            self._cancel([submitted.future for submitted in under_way.values()])

    def _next_tasks(
        self,
        retries: "deque[_Task[JobT]]",
        next_job: Callable[[], JobT | None],
        under_way: "dict[str, _SubmittedTask[JobT]]",
    ) -> "Iterator[_Task[JobT]]":
        """The tasks to submit next: as many as the window, and that of the ready workers, has room for."""
        ready = set(self._workers.ready)
        theirs = sum(submitted.workers <= ready for submitted in under_way.values())
        for _ in range(min(WINDOW * len(self._workers.addresses) - len(under_way), WINDOW * len(ready) - theirs)):
            if retries:
                yield retries.popleft()
            elif (job := next_job()) is not None:
                yield _Task(job)
            else:
                return

    def _submit(self, play: Callable[..., Any], task: "_Task[JobT]") -> "_SubmittedTask[JobT]":
        workers = self._workers.ready
        portable = map_seatings(task.job, self._packages.make_portable)  # type: ignore[arg-type]  # there are two kinds of jobs
        # Never cached by dask, even if it has seen an equal job: the store knows which games have been played.
        future = self._client.submit(perform, self._run, play, portable, workers=workers, pure=False)
        return _SubmittedTask(task, future, frozenset(workers), time.monotonic())

    def _read_result(self, submitted: "_SubmittedTask[JobT]") -> codec.JobOutcome | None:
        """The outcome of a job; None if it has to be submitted again."""
        task, future = submitted.task, submitted.future
        if future.status == "error":  # e.g. KilledWorker: dask has tried several
            return task.count_failure(str(future.exception()))
        if future.status != "finished":  # not cancelled by us: the scheduler may be lost
            self._workers.update()
            return None
        try:
            answer = codec.decode_answer(future.result(timeout=_FETCH_TIMEOUT))
        except (*GONE, CancelledError, RecordError) as error:  # the worker left before it was fetched, or sent nonsense
            return task.count_failure(str(error))
        if isinstance(answer, codec.UnknownRun):
            self._workers.rejoin(answer.worker, submitted.at)
            return None
        if isinstance(answer, codec.MissingPackages):
            if not all(digest in self._packages for digest in answer.digests):  # no other file may leave this machine
                return task.count_failure(
                    say("{worker} requested a file that is not a submission", worker=answer.worker)
                )
            for digest in answer.digests:
                self._workers.send_package(answer.worker, digest, self._packages, submitted.at)
            return None
        if isinstance(answer, codec.WorkerFailure):
            self._workers.refuse(answer.worker, answer.why)
            return task.count_failure(answer.why)
        return task.count_failure(str(answer)) if isinstance(answer, WorkersLost) else answer

    def _stranded_tasks(self, under_way: "dict[str, _SubmittedTask[JobT]]") -> "Iterator[_Task[JobT]]":
        """Take back the jobs whose workers are all gone."""
        present = set(self._workers.addresses)
        for key, submitted in list(under_way.items()):
            if not submitted.workers & present:
                del under_way[key]
                self._cancel([submitted.future])
                yield submitted.task

    def _cancel(self, futures: list[Future]) -> None:
        with suppress(*GONE):  # with the scheduler, its jobs are gone as well
            self._client.cancel(futures, force=True)


@dataclass(slots=True)
class _Task(Generic[JobT]):
    """A job, and how often it has failed."""

    job: JobT
    deaths: int = 0

    def count_failure(self, why: str) -> WorkersLost | None:
        """Count one more failure. Returns None if the job may be tried again."""
        self.deaths += 1
        if self.deaths < DEATHS:
            return None
        return WorkersLost(say("{count} workers failed while playing it: {reason}", count=self.deaths, reason=why))


@dataclass(frozen=True, slots=True)
class _SubmittedTask(Generic[JobT]):
    """A job that was submitted to dask."""

    task: _Task[JobT]
    future: Future
    workers: frozenset[str]
    """The workers that may do it."""
    at: float
    """When it was submitted."""


def _finished_tasks(
    answered: "queue.SimpleQueue[Future]", under_way: dict[str, _SubmittedTask[JobT]]
) -> Iterator[_SubmittedTask[JobT]]:
    """The tasks that have finished, after a short wait for the first. Cancelled tasks are not among them."""
    try:
        future = answered.get(timeout=_POLL_TIMEOUT)
        while True:
            submitted = under_way.pop(future.key, None)
            if submitted is not None:
                yield submitted
            future = answered.get_nowait()
    except queue.Empty:
        return
