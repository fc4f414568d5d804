"""`grader check PATH`."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.language import lang_option, speaker
from grader.cli.match_options import LEVELS
from grader.cli.output_files import FileToWrite, save_match

if TYPE_CHECKING:
    from rich.status import Status

    from grader.checks import Checking, Subject
    from grader.games.exam import Verdict
    from grader.language import Language
    from grader.reports.check import Signs

EXIT_TO_MEND, EXIT_INTERRUPTED = 1, 130


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option(
    "-c",
    "--assignment",
    "assignment_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The course's assignment; if not given, assignment.yaml beside the player, else the built-in one.",
)
@click.option("--game", metavar="GAME", help="The game, by name or in a file (default: detected from the code).")
@click.option(
    "--budget",
    type=click.FloatRange(1),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How long it may take.",
)
@click.option("--full", is_flag=True, help="Play all that the assignment plays, however long it takes.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), help="With --full: games at a time; the number of cores if not given."
)
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="Override the assignment's seed.")
@click.option("--isolation", type=click.Choice(LEVELS), help="Sandbox level (default: the strongest available).")
@click.option("--save", "file", type=FileToWrite(), help="Write a lost game to this file, for `grader replay`.")
@lang_option
def check(
    path: Path,
    assignment_file: Path | None,
    game: str | None,
    budget: float,
    full: bool,
    jobs: int | None,
    seed: int | None,
    isolation: str | None,
    file: str | None,
) -> None:
    """Check the player in PATH, a file, a folder or a zip, before it is handed in."""
    from grader.checks import Budget, Checking, Wish, find_subject
    from grader.sandbox.isolation import Level
    from grader.sandbox.scratch import Scratch, sweep

    sweep()
    time = Budget(None if full else budget)
    level = Level[isolation.upper()] if isolation else None
    wish = Wish(path=path, assignment_file=assignment_file, game=game, seed=seed, level=level)
    with Scratch() as scratch:
        subject = find_subject(wish, Path(scratch.folder, "submission"))
        show = Show(speaker(subject.assignment))
        show.subject(subject, budget=None if full else budget)
        checking = Checking(subject, time, show.seen, show.doing)
        interrupted = False
        try:
            if checking.look_and_ask():
                if full:
                    _play_everything(checking, Path(scratch.folder, "results"), jobs, show.speak)
                else:
                    checking.play_first_games()
                checking.look_back()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            show.close()
    show.conclusion(checking, _keep_lost_game(checking, file, show.speak), interrupted=interrupted)
    if interrupted:
        sys.exit(EXIT_INTERRUPTED)
    if not checking.conclusion().ready:
        sys.exit(EXIT_TO_MEND)


class Show:
    """Tells of things as they are seen, and, on a terminal, of what is looked at now."""

    def __init__(self, speak: "Language") -> None:
        self.speak = speak
        self._signs = signs()
        self._status: Status | None = None

    def subject(self, subject: "Subject", *, budget: float | None) -> None:
        """What is going to be checked, against which assignment."""
        from grader.reports import check as report

        wrapped_echo(report.render_subject(subject.name, subject.assignment, subject.source, budget, self.speak))

    def doing(self, what: str) -> None:
        """Say what is looked at now, in a line that goes away again."""
        if not (sys.stdout.isatty() and sys.stderr.isatty()):
            return
        if self._status is None:
            from rich.console import Console

            self._status = Console(stderr=True).status("")
            self._status.start()
        from rich.text import Text

        self._status.update(Text(f"{self.speak(what)} …"))

    def seen(self, verdict: "Verdict") -> None:
        """One thing that was seen."""
        from grader.reports import check as report

        self.close()
        wrapped_echo(report.render_seen(verdict, self.speak, self._signs))

    def conclusion(self, checking: "Checking", lost_game: str, *, interrupted: bool) -> None:
        """What it all comes to, and where a lost game can be seen."""
        from grader.reports import check as report

        if interrupted:
            wrapped_echo("\n" + self.speak.say("Interrupted: this is what is known so far."))
        wrapped_echo("\n" + report.render(checking.conclusion(), lost_game, self.speak, self._signs))

    def close(self) -> None:
        """Take the line away."""
        if self._status is not None:
            self._status.stop()
            self._status = None


def wrapped_echo(text: str) -> None:
    """Print a text in lines that fit the terminal."""
    from grader.cli.terminal import wrapped

    click.echo(wrapped(text))


def signs() -> "Signs":
    """Ticks and crosses, in colour on a terminal; letters where the output cannot show them."""
    from grader.games.exam import Mark
    from grader.reports.check import ASCII_SIGNS, SIGNS

    try:
        "✓✗–".encode(sys.stdout.encoding or "ascii")
        signs = SIGNS
    except (UnicodeEncodeError, LookupError):
        signs = ASCII_SIGNS
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return signs
    colours = {Mark.GOOD: "green", Mark.NOTE: "yellow", Mark.BAD: "red", Mark.OPEN: None}
    return {mark: click.style(sign, fg=colours[mark], bold=True) for mark, sign in signs.items()}


def _play_everything(checking: "Checking", scratch: Path, jobs: int | None, speak: "Language") -> None:
    from grader.checks.full import play_everything
    from grader.cli.progress import watcher
    from grader.engine.local import physical_cores

    watch = watcher(speak)
    try:
        play_everything(checking, scratch, workers=jobs or physical_cores(), watch=watch)
    finally:
        watch.close()


def _keep_lost_game(checking: "Checking", file: str | None, speak: "Language") -> str:
    """Write the game that is most worth a look, if it was asked for; else say how to."""
    from grader.checks.results import worth_a_look

    record = worth_a_look(checking.seen)
    if record is None:
        return "" if file is None else speak.say("No game was lost, so nothing was saved.")
    if file is None:
        return speak.say("To see a lost game, add --save lost.json, then run `grader replay lost.json`.")
    try:
        save_match(file, record, "--save")
    except click.FileError as error:  # what was found out is told all the same
        return error.format_message()
    return speak.say("Saved a lost game as {file}: `grader replay {file}` shows it.", file=file)
