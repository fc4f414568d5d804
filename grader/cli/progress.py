"""Show the progress of a run: a bar on a terminal, otherwise a line every few seconds."""

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as RichProgress
from rich.table import Column

from grader.cli.output import echo, make_console, visible
from grader.competition.play import Progress
from grader.engine.base import Engine
from grader.engine.local import LocalEngine
from grader.language import Language, Message, say
from grader.scoring.estimate import Estimate, duration

EVERY = 10.0
"""Seconds between two lines where there is no terminal."""
_MOST, _LONG = 0.5, 60.0
"""A submission is named if its games take more than this share of the time that is left, and that is more than this many seconds."""


class Watcher(Protocol):
    """Shows progress."""

    def __call__(self, progress: Progress) -> None:
        """Show a step."""

    def close(self) -> None:
        """Leave the terminal as it was."""


def watcher(speak: Language) -> Watcher:
    """The watcher that suits standard error."""
    return ProgressBar(speak) if sys.stderr.isatty() else ProgressLines(speak)


def engine_at(cluster: str | None, workers: int, watch: Watcher, speak: Language) -> AbstractContextManager[Engine]:
    """The engine that plays on a cluster, or on this machine if no cluster is named."""
    if cluster is None:
        return nullcontext(LocalEngine(workers))
    from grader.engine.cluster.connect import cluster_at  # here: it loads asyncio, and few runs use a cluster

    def notify(message: Message) -> None:
        watch.close()  # a bar would be drawn over the message
        echo(speak(message), err=True)

    return cluster_at(cluster, notify)


@contextmanager
def resumable(watch: Watcher) -> Iterator[None]:
    """Leave the terminal as it was in any case, and say how to resume after Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        watch.close()
        raise KeyboardInterrupt(say("Finished games are saved; run the same command to resume.")) from None
    finally:
        watch.close()


def show_estimate(estimate: Estimate, speak: Language) -> None:
    """Print how long the games may take, if there are any."""
    if estimate.games:
        text = speak.say(
            "{n} game to play: about {expected} (estimated from the trial moves), at most {worst}.",
            "{n} games to play: about {expected} (estimated from the trial moves), at most {worst}.",
            n=estimate.games,
            expected=duration(estimate.expected),
            worst=duration(estimate.worst),
        )
        echo(text, err=True)


class ProgressLines:
    """Prints a line when a phase begins and ends, and every few seconds between."""

    def __init__(self, speak: Language) -> None:
        self._speak = speak
        self._last = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.done == progress.total or now - self._last >= EVERY:
            self._last = now
            values: dict[str, str | int] = {
                "phase": progress.phase,
                "done": progress.done,
                "total": progress.total,
                "last": progress.last,
            }
            left = _time_left(progress)
            text = (
                say("{phase} {done}/{total}: {last}", **values)
                if left is None
                else say("{phase} {done}/{total}, {left}: {last}", left=left, **values)
            )
            echo(self._speak(text), err=True)

    def close(self) -> None:
        """Do nothing: lines stay."""


class ProgressBar:
    """Draws a bar for each phase, with the number of steps, the remaining time and the last step."""

    def __init__(self, speak: Language) -> None:
        self._speak = speak
        self._bar: RichProgress | None = None
        self._phase = ""

    def __call__(self, progress: Progress) -> None:
        if self._bar is None or progress.phase != self._phase:
            self.close()
            self._phase = progress.phase
            self._bar = _bar()
            self._bar.start()
            phase = visible(self._speak(progress.phase))
            self._task = self._bar.add_task(phase, total=progress.total, completed=progress.stored, left="", last="")
        last = visible(self._speak(progress.last))
        left = _time_left(progress)
        shown = "" if left is None else visible(self._speak(left))
        self._bar.update(self._task, total=progress.total, completed=progress.done, left=shown, last=last)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _time_left(progress: Progress) -> Message | None:
    """How long the rest will take, if that is known, and the submission that most of it is for."""
    left = progress.left
    if left is None or progress.done == progress.total:
        return None
    if left.share <= _MOST or left.seconds < _LONG:
        return say("about {time} left", time=duration(left.seconds))
    return say(
        "about {time} left, mostly for {name} ({seconds} per game)",
        time=duration(left.seconds),
        name=left.slowest,
        seconds=duration(left.per_game),
    )


def _bar() -> RichProgress:
    return RichProgress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=12),
        MofNCompleteColumn(),
        TextColumn("{task.fields[left]}", markup=False),
        TextColumn(
            "{task.fields[last]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1)
        ),
        console=make_console(stderr=True),
        transient=True,
        expand=True,
    )
