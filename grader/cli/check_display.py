"""The output of `grader check`, while it checks and at the end."""

import os
import sys
from collections.abc import Iterable

from rich.status import Status

from grader.checks.conclusion import Conclusion
from grader.checks.subject import CheckSubject
from grader.cli.output import make_console, screen_text
from grader.cli.terminal import echo_wrapped
from grader.games.exam import Mark, Verdict
from grader.language import Language
from grader.reports import check as report


class CheckDisplay:
    """Prints verdicts as they are reached and, on a terminal, the current step."""

    def __init__(self, speak: Language) -> None:
        self.speak = speak
        self._signs, self._colours = verdict_signs(), sign_colours()
        self._status: Status | None = None
        self._has_shown_verdict = False

    def show_subject(self, subject: CheckSubject, *, budget: float | None) -> None:
        """Print by which assignment it is checked, and how long that takes."""
        echo_wrapped(report.render_subject(subject.assignment, subject.source, budget, self.speak))

    def show_step(self, step: str) -> None:
        """Show the current step in a line that disappears when the step is done."""
        if not (sys.stdout.isatty() and sys.stderr.isatty()):
            return
        if self._status is None:
            self._status = make_console(stderr=True).status("")
            self._status.start()
        self._status.update(screen_text(f"{self.speak(step)} …"))

    def show_verdict(self, verdict: Verdict) -> None:
        """Print a verdict, unless the conclusion explains it."""
        self.close()
        if verdict.help:
            return
        before = "" if self._has_shown_verdict else "\n"
        self._has_shown_verdict = True
        echo_wrapped(before + report.render_observation(verdict, self.speak, self._signs), self._colours)

    def show_conclusion(self, conclusion: Conclusion, lost_game: str, *, interrupted: bool) -> None:
        """Print the conclusion, and where a lost game was saved."""
        if interrupted:
            echo_wrapped("\n" + self.speak.say("Interrupted. Results so far:"))
        echo_wrapped("\n" + report.render(conclusion, lost_game, self.speak, self._signs), self._colours)

    def show_lines(self, lines: Iterable[str]) -> None:
        """Print lines at the very end."""
        echo_wrapped("\n" + "\n".join(lines))

    def close(self) -> None:
        """Remove the line of the current step."""
        if self._status is not None:
            self._status.stop()
            self._status = None


def verdict_signs() -> report.MarkSigns:
    """Ticks and crosses, or ASCII characters if the output's encoding does not have them."""
    try:
        "✓✗–".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return report.ASCII_SIGNS
    return report.SIGNS


def sign_colours() -> dict[str, str]:
    """The colours of the signs on a terminal; none elsewhere."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return {}
    signs = verdict_signs()
    return {
        signs[Mark.GOOD]: "green",
        signs[Mark.INFO]: "reset",
        signs[Mark.NOTE]: "yellow",
        signs[Mark.BAD]: "red",
        signs[Mark.OPEN]: "reset",
    }
