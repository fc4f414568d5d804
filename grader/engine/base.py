"""The engine protocol: an engine plays jobs, on this machine or on a cluster."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from grader.errors import GraderError
from grader.language import Message
from grader.sandbox.isolation import Level

JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")


Notify = Callable[[Message], None]
"""Shows a message to the person who started the run."""


class ClusterError(GraderError):
    """The cluster cannot be reached, or has been lost."""


class WorkersLost(Exception):
    """Every worker that was given a job has died or failed."""


class Engine(Protocol):
    """Plays jobs and returns their results."""

    @property
    def workers(self) -> int:
        """The number of games played at a time."""

    def weakest_machine(self) -> tuple[str, Level]:
        """The machine with the lowest isolation level, and that level."""

    def run(
        self,
        play: Callable[[JobT, int | None], ResultT],
        next_job: Callable[[], JobT | None],
        done: Callable[[JobT, ResultT | WorkersLost], None],
    ) -> None:
        """Play the jobs from `next_job` until it returns None and all are finished; `done` is called for each, in this process.

        `next_job` is called again after each result, and may depend on the results so far. `play` is a module's function,
        which workers import by name; its second argument is the core it runs on.
        """
