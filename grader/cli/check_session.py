"""What `grader check` does after its first line: check, print, and write the page."""

import sys
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from grader.checks.budget import Budget
from grader.checks.checking import Checking
from grader.checks.conclusion import Conclusion, most_telling_loss
from grader.checks.subject import CheckRequest, find_subject
from grader.cli import EXIT_INTERRUPTED, EXIT_PROBLEM
from grader.cli.check import PAGE
from grader.cli.check_display import CheckDisplay
from grader.cli.language import speaker
from grader.cli.output_files import save, save_match
from grader.cli.progress import watcher
from grader.engine.local import physical_cores
from grader.language import Language
from grader.reports import check_page
from grader.sandbox.isolation import Level
from grader.sandbox.scratch import Scratch, sweep


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """The options of the command."""

    path: Path
    assignment_file: Path | None
    game: str | None
    budget: float | None
    """Seconds; None to play all games."""
    jobs: int | None
    seed: int | None
    isolation: str | None
    file: str | None
    """Where to save a lost game."""
    page: str | None
    opened: bool
    """Whether to open the page."""


def run_check(options: CheckOptions) -> None:
    """Check a player, print the conclusion, and exit with its status."""
    sweep()
    time = Budget(options.budget)
    with Scratch() as scratch:
        subject = find_subject(_request(options), Path(scratch.folder, "submission"))
        display = CheckDisplay(speaker(subject.assignment))
        display.show_subject(subject, budget=time.seconds)
        checking = Checking(subject, time, display.show_verdict, display.show_step)
        interrupted = False
        try:
            if checking.check_moves():
                if options.budget is None:
                    watch = watcher(display.speak)
                    try:
                        workers = options.jobs or physical_cores()
                        checking.play_everything(Path(scratch.folder, "results"), workers, watch)
                    finally:
                        watch.close()
                else:
                    checking.play_first_games()
                checking.check_totals()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            display.close()
    conclusion = checking.conclusion()
    display.show_conclusion(conclusion, _save_lost_game(checking, options.file, display.speak), interrupted=interrupted)
    display.show_lines(_write_page(checking, conclusion, options, display.speak))
    if interrupted:
        sys.exit(EXIT_INTERRUPTED)
    if not conclusion.ready:
        sys.exit(EXIT_PROBLEM)


def _request(options: CheckOptions) -> CheckRequest:
    return CheckRequest(
        path=options.path,
        assignment_file=options.assignment_file,
        game=options.game,
        seed=options.seed,
        level=Level[options.isolation.upper()] if options.isolation else None,
    )


def _save_lost_game(checking: Checking, file: str | None, speak: Language) -> str:
    """Save the most instructive lost game if a file was named, and say where it is."""
    if file is None:
        return ""
    record = most_telling_loss(checking.observed)
    if record is None:
        return speak.say("No game was lost, so nothing was saved.")
    try:
        save_match(file, record, "--save")
    except click.FileError as error:  # the conclusion is printed all the same
        return error.format_message()
    return speak.say("Saved a lost game as {file}. To see it: `grader replay {file}`", file=file)


def _write_page(checking: Checking, conclusion: Conclusion, options: CheckOptions, speak: Language) -> Iterator[str]:
    """Write the page, and open it if that was asked for. Yields what there is to say, where the page is last."""
    file = Path(options.page or PAGE)
    if options.page is None and not _may_replace(file):
        yield speak.say(
            "{file} was not written by `grader check`, so it was not replaced: use -o FILE.", file=str(file)
        )
        return
    try:
        save(str(file), check_page.render(checking.subject, checking.observed, conclusion, speak))
    except click.FileError as error:  # such as a folder that is read-only
        yield error.format_message()
        return
    if (lost := most_telling_loss(checking.observed)) is not None:
        number = 1 + [game.record for game in checking.observed.finished_games].index(lost)
        yield speak.say("To see a lost game: `grader replay {file} --game {number}`", file=str(file), number=number)
    if options.opened and not _open(file):
        yield speak.say("No browser could be opened.")
    yield speak.say("Page with all results and games, for a browser: {file}", file=str(file))


def _may_replace(file: Path) -> bool:
    """Whether a file does not exist, or is the page of an earlier check."""
    try:
        return check_page.GAMES.encode() in file.read_bytes()
    except FileNotFoundError:
        return True
    except OSError:  # writing it will say why
        return True


def _open(file: Path) -> bool:
    """Open a page in a browser. Whether there is one."""
    try:
        return webbrowser.open(file.resolve().as_uri())
    except (webbrowser.Error, OSError):
        return False
