"""The progress of a competition: what has been done, what is being played now, and how long the rest takes."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, runtime_checkable

from grader.competition.records import Competition
from grader.engine.base import JobT, Reached
from grader.language import Message
from grader.scoring.pace import TimeLeft


@dataclass(frozen=True, slots=True)
class RunningJob:
    """A job that a worker of this machine is doing: a player being loaded, or a unit of games."""

    what: Message | str
    """Its players."""
    games: int
    """The number of its games; 0 if a player is only loaded."""
    reached: Reached
    """Returns the game that is being played, counted from 0, and the number of moves in it."""
    since: float
    """When it began, by `time.monotonic`."""
    attempt: int = 1

    @property
    def seconds(self) -> float:
        """For how long it has been running."""
        return time.monotonic() - self.since


@dataclass(slots=True)
class Progress:
    """The progress of a competition. The `watch` function is called with it after each step."""

    phase: str = ""
    total: int = 0
    done: int = 0
    stored: int = 0
    """How many of those done are from an earlier run."""
    last: str = ""
    left: TimeLeft | None = None
    """How long the rest will take, judging by the games so far."""
    outcome: Callable[[], Competition] | None = None
    """Returns the games played so far; None before the first game."""
    waiting: str = ""
    """Why nothing is being played at the moment, if the grader waits for something."""
    running: dict[str, RunningJob] = field(default_factory=dict)
    """The games that are being played on this machine, by key."""

    def begin(self, phase: str, total: int, stored: int = 0) -> None:
        """Start a phase."""
        self.phase, self.total, self.done, self.stored, self.left = phase, total, stored, stored, None

    def step(self, count: int, what: str, watch: "Watch") -> None:
        """Count more as done; `what` describes the last one."""
        self.done += count
        self.last = what
        watch(self)


Watch = Callable[[Progress], None]


@runtime_checkable
class LiveWatch(Protocol):
    """A `Watch` that also shows what happens between two steps."""

    def __call__(self, progress: Progress) -> None:
        """Show a step."""

    def refresh(self, progress: Progress) -> None:
        """Show which moves the running games have reached. Called about twice a second."""


class RunningJobs(Generic[JobT]):
    """Keeps the list of running jobs for a progress display: an observer for an engine."""

    def __init__(
        self,
        progress: Progress,
        watch: Watch,
        describe: Callable[[JobT, Reached], tuple[str, RunningJob]],
        before_refresh: Callable[[], None] = lambda: None,
    ) -> None:
        """`describe` returns the key of a job and what to show about it."""
        self._progress, self._describe, self._before_refresh = progress, describe, before_refresh
        self._live = watch if isinstance(watch, LiveWatch) else None

    def started(self, job: JobT, reached: Reached) -> None:
        """Add a job."""
        key, running = self._describe(job, reached)
        self._progress.running[key] = running

    def ended(self, key: str) -> float | None:
        """Remove a job. Returns the seconds that it took, unless it was played on another machine."""
        running = self._progress.running.pop(key, None)
        return None if running is None else running.seconds

    def waiting(self) -> None:
        """Show what is running."""
        if self._live is not None:
            self._before_refresh()
            self._live.refresh(self._progress)
