"""What an engine is: where games are played, on this machine or on many."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from grader.sandbox.isolation import Level

Job = TypeVar("Job")
Result = TypeVar("Result")


class WorkersLost(Exception):
    """A unit of work that every worker died of."""


class Engine(Protocol):
    """Plays jobs and hands back what came of them."""

    @property
    def workers(self) -> int:
        """How many games are played at a time."""

    def weakest(self) -> tuple[str, Level]:
        """Which of the machines that play walls players in least, and how well it does."""

    def run(
        self,
        play: Callable[[Job, int | None], Result],
        next_job: Callable[[], Job | None],
        done: Callable[[Job, Result | WorkersLost], None],
    ) -> None:
        """Play what `next_job` gives until it has no more and all are done; `done` hears of each in this process.

        `next_job` is asked again after each result: what it gives may depend on what is known by then. `play` is a function
        of a module, which workers import by its name; it is told on which core it runs.
        """
