"""`grader check PATH`: check a player before it is submitted."""

import sys
from pathlib import Path

import click

from grader.checks.budget import Budget
from grader.checks.checking import Checking
from grader.checks.conclusion import most_telling_loss
from grader.checks.subject import CheckRequest, find_subject
from grader.cli import EXIT_INTERRUPTED, EXIT_PROBLEM
from grader.cli.check_display import CheckDisplay
from grader.cli.help import argument, command, option
from grader.cli.language import lang_option, speaker
from grader.cli.options import (
    EXISTING,
    OUTPUT,
    WHAT_TO_PLAY,
    WHERE_TO_RUN,
    assignment_option,
    game_name_option,
    isolation_option,
    seed_option,
)
from grader.cli.output_files import FileToWrite, save_match
from grader.cli.progress import watcher
from grader.engine.local import physical_cores
from grader.language import Language
from grader.sandbox.isolation import Level
from grader.sandbox.scratch import Scratch, sweep


@command(
    examples=[
        ("Check a player for about a minute", "grader check solution.py"),
        ("Check it against your course's assignment", "grader check my-player/ -c assignment.yaml"),
        ("Play all games of the assignment and save a lost one", "grader check solution.py --full --save lost.json"),
    ]
)
@argument("path", "The player: a .py file, a folder or a zip.", type=EXISTING)
@assignment_option(
    "The course's assignment (default: assignment.yaml next to the player or in the working folder, else the built-in one)."
)
@game_name_option("The game, by name or in a file (default: detected from the code).")
@option(
    "--budget",
    group=WHAT_TO_PLAY,
    type=click.FloatRange(1),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for the whole check.",
)
@option("--full", group=WHAT_TO_PLAY, is_flag=True, help="Play all games of the assignment, however long it takes.")
@seed_option
@option(
    "-j",
    "--jobs",
    group=WHERE_TO_RUN,
    type=click.IntRange(1),
    help="With --full: games to play in parallel (default: the number of cores).",
)
@isolation_option
@option(
    "--save",
    "file",
    group=OUTPUT,
    type=FileToWrite(),
    metavar="FILE",
    help="Save a lost game to this file, for `grader replay`.",
)
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
    """Check the player in PATH before it is submitted: whether it loads, follows the rules and stays within its time limits.

    Exit status 1 if there are problems to fix.
    """
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
            if checking.check_moves():
                if full:
                    watch = watcher(display.speak)
                    try:
                        checking.play_everything(Path(scratch.folder, "results"), jobs or physical_cores(), watch)
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
    display.show_conclusion(conclusion, _save_lost_game(checking, file, display.speak), interrupted=interrupted)
    if interrupted:
        sys.exit(EXIT_INTERRUPTED)
    if not conclusion.ready:
        sys.exit(EXIT_PROBLEM)


def _save_lost_game(checking: Checking, file: str | None, speak: Language) -> str:
    """Save the most instructive lost game if a file was named, and say where it is or how to get it."""
    record = most_telling_loss(checking.observed)
    if record is None:
        return "" if file is None else speak.say("No game was lost, so nothing was saved.")
    if file is None:
        return speak.say("To see a lost game, add --save lost.json, then run `grader replay lost.json`.")
    try:
        save_match(file, record, "--save")
    except click.FileError as error:  # the conclusion is printed all the same
        return error.format_message()
    return speak.say("Saved a lost game as {file}. To see it: `grader replay {file}`", file=file)
