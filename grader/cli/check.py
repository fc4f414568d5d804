"""`grader check PATH`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import EXIT_INTERRUPTED, EXIT_PROBLEM
from grader.cli.language import lang_option, speaker
from grader.cli.options import EXISTING, assignment_option, isolation_option, seed_option
from grader.cli.output_files import FileToWrite, save_match

if TYPE_CHECKING:
    from grader.checks.checking import Checking
    from grader.language import Language


@click.command()
@click.argument("path", type=EXISTING)
@assignment_option("The course's assignment; if not given, assignment.yaml beside the player, else the built-in one.")
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
@seed_option
@isolation_option
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
    from grader.checks.budget import Budget
    from grader.checks.checking import Checking
    from grader.checks.subject import CheckRequest, find_subject
    from grader.cli.check_display import CheckDisplay
    from grader.cli.progress import watcher
    from grader.engine.local import physical_cores
    from grader.sandbox.isolation import Level
    from grader.sandbox.scratch import Scratch, sweep

    sweep()
    time = Budget(None if full else budget)
    level = Level[isolation.upper()] if isolation else None
    request = CheckRequest(path=path, assignment_file=assignment_file, game=game, seed=seed, level=level)
    with Scratch() as scratch:
        subject = find_subject(request, Path(scratch.folder, "submission"))
        display = CheckDisplay(speaker(subject.assignment))
        display.show_subject(subject, budget=time.seconds)
        checking = Checking(subject, time, display.show_verdict, display.show_step)
        interrupted = False
        try:
            if checking.look_and_ask():
                if full:
                    watch = watcher(display.speak)
                    try:
                        checking.play_everything(Path(scratch.folder, "results"), jobs or physical_cores(), watch)
                    finally:
                        watch.close()
                else:
                    checking.play_first_games()
                checking.look_back()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            display.close()
    conclusion = checking.conclusion()
    display.show_conclusion(conclusion, _save_lost_game(checking, file, display.speak), interrupted=interrupted)
    if interrupted:
        sys.exit(EXIT_INTERRUPTED)
    if not conclusion.ready:
        sys.exit(EXIT_PROBLEM)


def _save_lost_game(checking: "Checking", file: str | None, speak: "Language") -> str:
    """Write the game that is most worth a look, if it was asked for; else say how to."""
    from grader.checks.conclusion import most_telling_loss

    record = most_telling_loss(checking.observed)
    if record is None:
        return "" if file is None else speak.say("No game was lost, so nothing was saved.")
    if file is None:
        return speak.say("To see a lost game, add --save lost.json, then run `grader replay lost.json`.")
    try:
        save_match(file, record, "--save")
    except click.FileError as error:  # what was found out is told all the same
        return error.format_message()
    return speak.say("Saved a lost game as {file}: `grader replay {file}` shows it.", file=file)
