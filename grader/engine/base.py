"""The engine protocol: an engine plays jobs, on this machine or on a cluster."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from grader.engine.move_counts import CountMove
from grader.errors import GraderError
from grader.language import Message
from grader.sandbox.idle_cores import IdleCores
from grader.sandbox.isolation import Level

JobT = TypeVar("JobT")
AnyJob = TypeVar("AnyJob", contravariant=True)
ResultT = TypeVar("ResultT")


Notify = Callable[[Message], None]
"""Shows a message to the person who started the run."""


class ClusterError(GraderError):
    """The cluster cannot be reached, or has been lost."""


class WorkersLost(Exception):
    """Every worker that was given a job has died or failed."""


Reached = Callable[[], tuple[int, int]]
"""Returns the game of a unit that is being played, counted from 0, and the number of moves played in it."""


class JobObserver(Protocol[AnyJob]):
    """Follows jobs while they are being played. An engine on other machines does not call it."""

    def started(self, job: AnyJob, reached: Reached) -> None:
        """A worker has begun a job."""

    def waiting(self) -> None:
        """Called about twice a second while jobs are being played."""


class Engine(Protocol):
    """Plays jobs and returns their results."""

    @property
    def workers(self) -> int:
        """The number of games played at a time."""

    def weakest_machine(self) -> tuple[str, Level]:
        """The machine with the lowest isolation level, and that level."""

    def idle_cores(self) -> IdleCores | None:
        """Measures how much of the cores is idle while nothing is played; None if games are played on other machines."""

    def run(
        self,
        play: Callable[[JobT, int | None, CountMove], ResultT],
        next_job: Callable[[], JobT | None],
        done: Callable[[JobT, ResultT | WorkersLost], None],
        observer: JobObserver[JobT] | None = None,
    ) -> None:
        """Play the jobs from `next_job` until it returns None and all are finished; `done` is called for each, in this process.

        `next_job` is called again after each result, and may depend on the results so far: if it returns None while jobs are being
        played, there may be another job later. `play` is a module's function,
        which workers import by name; it is called with the job, the core it runs on, and what to call after each move.
        """
