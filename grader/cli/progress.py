"""How far a run is: a bar where there is a terminal, and a line now and then where there is none."""

import sys
import time
from typing import TYPE_CHECKING, Protocol

import click

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

    from grader.pipeline import Progress

EVERY = 10.0
"""Seconds between two lines where there is no terminal."""


class Watcher(Protocol):
    """Shows progress."""

    def __call__(self, progress: "Progress") -> None:
        """Something is done."""

    def close(self) -> None:
        """Leave the terminal as it was."""


def watcher() -> Watcher:
    """The one that fits where standard error goes."""
    return Bar() if sys.stderr.isatty() else Lines()


class Lines:
    """A line when a phase begins and ends, and every few seconds between."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, progress: "Progress") -> None:
        now = time.monotonic()
        if progress.done == progress.total or now - self._last >= EVERY:
            self._last = now
            click.echo(f"{progress.phase}: {progress.done} of {progress.total}. {progress.last}", err=True)

    def close(self) -> None:
        """Nothing to leave."""


class Bar:
    """A bar for each phase, with what is done, what it will still take, and what ended last."""

    def __init__(self) -> None:
        self._bar: RichProgress | None = None
        self._phase = ""

    def __call__(self, progress: "Progress") -> None:
        if self._bar is None or progress.phase != self._phase:
            self.close()
            self._phase = progress.phase
            self._bar = _bar()
            self._bar.start()
            self._task = self._bar.add_task(progress.phase, total=progress.total, completed=progress.stored, last="")
        self._bar.update(self._task, total=progress.total, completed=progress.done, last=progress.last[:60])

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _bar() -> "RichProgress":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[last]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
