"""How far a run is: a bar where there is a terminal, and a line now and then where there is none."""

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol

import click

from grader.language import Language, Message, say

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

    from grader.competition.play import Progress
    from grader.engine.base import Engine
    from grader.scoring.estimate import Estimate

EVERY = 10.0
"""Seconds between two lines where there is no terminal."""


class Watcher(Protocol):
    """Shows progress."""

    def __call__(self, progress: "Progress") -> None:
        """Something is done."""

    def close(self) -> None:
        """Leave the terminal as it was."""


def watcher(speak: Language) -> Watcher:
    """The one that fits where standard error goes."""
    return ProgressBar(speak) if sys.stderr.isatty() else ProgressLines(speak)


def engine_at(cluster: str | None, workers: int, watch: Watcher, speak: Language) -> "AbstractContextManager[Engine]":
    """The cluster to play on, or else this machine."""
    from grader.engine.local import LocalEngine

    if cluster is None:
        return nullcontext(LocalEngine(workers))
    from grader.engine.cluster.connect import cluster_at

    def tell(message: Message) -> None:
        watch.close()  # a bar would draw over what is said
        click.echo(speak(message), err=True)

    return cluster_at(cluster, tell)


@contextmanager
def resumable(watch: Watcher) -> Iterator[None]:
    """Leave the terminal as it was, however this ends; after Ctrl-C, say how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        watch.close()
        raise KeyboardInterrupt(say("What was played is kept: the same command goes on from here.")) from None
    finally:
        watch.close()


def tell_estimate(whole: "Estimate", speak: Language) -> None:
    """Say how long it may take, if there is anything to play."""
    from grader.scoring.estimate import duration

    if whole.games:
        expected, worst = duration(whole.expected), duration(whole.worst)
        said = say(
            "{games} games to play, about {expected} by the first moves, {worst} at worst.",
            games=whole.games,
            expected=expected,
            worst=worst,
        )
        if whole.games == 1:
            said = say(
                "One game to play, about {expected} by the first moves, {worst} at worst.",
                expected=expected,
                worst=worst,
            )
        click.echo(speak(said), err=True)


class ProgressLines:
    """A line when a phase begins and ends, and every few seconds between."""

    def __init__(self, speak: Language) -> None:
        self._speak = speak
        self._last = 0.0

    def __call__(self, progress: "Progress") -> None:
        now = time.monotonic()
        if progress.done == progress.total or now - self._last >= EVERY:
            self._last = now
            said = self._speak.say(
                "{phase}: {done} of {total}. {last}",
                phase=progress.phase,
                done=progress.done,
                total=progress.total,
                last=progress.last,
            )
            click.echo(said, err=True)

    def close(self) -> None:
        """Nothing to leave."""


class ProgressBar:
    """A bar for each phase, with what is done, what it will still take, and what ended last."""

    def __init__(self, speak: Language) -> None:
        self._speak = speak
        self._bar: RichProgress | None = None
        self._phase = ""

    def __call__(self, progress: "Progress") -> None:
        if self._bar is None or progress.phase != self._phase:
            self.close()
            self._phase = progress.phase
            self._bar = _bar()
            self._bar.start()
            phase = self._speak(progress.phase)
            self._task = self._bar.add_task(phase, total=progress.total, completed=progress.stored, last="")
        last = self._speak(progress.last)[:60]
        self._bar.update(self._task, total=progress.total, completed=progress.done, last=last)

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
