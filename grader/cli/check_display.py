"""What `grader check` shows at a terminal, while it checks and in the end."""

import os
import sys

import click
from rich.console import Console
from rich.status import Status
from rich.text import Text

from grader.checks.conclusion import Conclusion
from grader.checks.subject import CheckSubject
from grader.cli.terminal import echo_wrapped
from grader.games.exam import Mark, Verdict
from grader.language import Language
from grader.reports import check as report


class CheckDisplay:
    """Shows verdicts as they are reached, and, on a terminal, what is being checked now."""

    def __init__(self, speak: Language) -> None:
        self.speak = speak
        self._signs = verdict_signs()
        self._status: Status | None = None

    def show_subject(self, subject: CheckSubject, *, budget: float | None) -> None:
        """What is going to be checked, against which assignment."""
        echo_wrapped(report.render_subject(subject.name, subject.assignment, subject.source, budget, self.speak))

    def show_step(self, what: str) -> None:
        """Say what is being checked, in a line that goes away again."""
        if not (sys.stdout.isatty() and sys.stderr.isatty()):
            return
        if self._status is None:
            self._status = Console(stderr=True).status("")
            self._status.start()
        self._status.update(Text(f"{self.speak(what)} …"))

    def show_verdict(self, verdict: Verdict) -> None:
        """A verdict, as soon as it is reached."""
        self.close()
        echo_wrapped(report.render_observation(verdict, self.speak, self._signs))

    def show_conclusion(self, conclusion: Conclusion, lost_game: str, *, interrupted: bool) -> None:
        """What it all comes to, and where a lost game can be seen."""
        if interrupted:
            echo_wrapped("\n" + self.speak.say("Interrupted: this is what is known so far."))
        echo_wrapped("\n" + report.render(conclusion, lost_game, self.speak, self._signs))

    def close(self) -> None:
        """Take the line away."""
        if self._status is not None:
            self._status.stop()
            self._status = None


def verdict_signs() -> report.Signs:
    """Ticks and crosses, in colour on a terminal; letters where the output cannot show them."""
    try:
        "✓✗–".encode(sys.stdout.encoding or "ascii")
        signs = report.SIGNS
    except (UnicodeEncodeError, LookupError):
        signs = report.ASCII_SIGNS
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return signs
    colours = {Mark.GOOD: "green", Mark.NOTE: "yellow", Mark.BAD: "red", Mark.OPEN: None}
    return {mark: click.style(sign, fg=colours[mark], bold=True) for mark, sign in signs.items()}
