"""Show the progress of a run: live on a terminal, otherwise a line every few seconds."""

import math
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from grader.cli.live_progress import LiveProgress, slowest_submission, time_left
from grader.cli.output import echo
from grader.cli.terminal import echo_wrapped
from grader.competition.progress import Progress
from grader.engine.base import Engine
from grader.engine.local import LocalEngine
from grader.language import Language, Message, say
from grader.scoring.estimate import Estimate, duration

EVERY = 10.0
"""Seconds between two lines where there is no terminal."""


class Watcher(Protocol):
    """Shows progress."""

    def __call__(self, progress: Progress) -> None:
        """Show a step."""

    def close(self) -> None:
        """Leave the terminal as it was."""


def watcher(speak: Language) -> Watcher:
    """The watcher that suits standard error."""
    return LiveProgress(speak) if sys.stderr.isatty() else ProgressLines(speak)


def engine_at(cluster: str | None, workers: int, watch: Watcher, speak: Language) -> AbstractContextManager[Engine]:
    """The engine that plays on a cluster, or on this machine if no cluster is named."""
    if cluster is None:
        return LocalEngine(workers)
    from grader.engine.cluster.connect import cluster_at  # here: it loads asyncio, and few runs use a cluster

    def notify(message: Message) -> None:
        watch.close()  # a bar would be drawn over the message
        echo_wrapped(speak(message), err=True)

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
        echo_wrapped(text, err=True)


class ProgressLines:
    """Prints a line when a phase begins and ends, and every few seconds between."""

    def __init__(self, speak: Language) -> None:
        self._speak = speak
        self._last = 0.0
        self._last_wait = -math.inf
        """When it was last printed that the grader waits."""

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.waiting:
            if now - self._last_wait >= EVERY:
                self._last_wait = now
                echo(self._speak(progress.waiting), err=True)
            return
        if progress.done == progress.total or now - self._last >= EVERY:
            self._last = now
            values: dict[str, str | int] = {
                "phase": progress.phase,
                "done": progress.done,
                "total": progress.total,
                "last": progress.last,
            }
            left, mostly = time_left(progress), slowest_submission(progress)
            if left is not None and mostly is not None:
                left = say("{left}, {mostly}", left=left, mostly=mostly)
            text = (
                say("{phase} {done}/{total}: {last}", **values)
                if left is None
                else say("{phase} {done}/{total}, {left}: {last}", left=left, **values)
            )
            echo(self._speak(text), err=True)

    def close(self) -> None:
        """Do nothing: lines stay."""
