"""`grader check PATH`: check a player before it is submitted.

What a check needs takes a second to import, so it is imported only after the first line was printed.
"""

from pathlib import Path

import click

from grader import __version__
from grader.cli.help import argument, command, option
from grader.cli.language import lang_option
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
from grader.cli.output import echo
from grader.cli.output_files import FileToWrite

PAGE = "check.html"
"""Where the page is written if no other file is named."""


@command(
    examples=[
        ("Check a player for about a minute", "grader check solution.py"),
        ("Check it against your course's assignment", "grader check my-player/ -c assignment.yaml"),
        ("Play all games of the assignment, and open the page with them", "grader check solution.py --full --open"),
    ]
)
@argument("path", "The player: a .py file, a notebook, a folder or a zip.", type=EXISTING)
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
@option(
    "-o",
    "--output",
    "page",
    group=OUTPUT,
    type=FileToWrite(),
    metavar="FILE",
    help=f"Write the page with the results and all games to this file (default: {PAGE} in the working folder).",
)
@option("--open", "opened", group=OUTPUT, is_flag=True, help="Open the page in a browser.")
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
    page: str | None,
    opened: bool,
) -> None:
    """Check the player in PATH before it is submitted: whether it loads, follows the rules and stays within its time limits.

    Exit status 1 if there are problems to fix.
    """
    echo(f"grader {__version__} · {path.resolve().name}")
    from grader.cli.check_session import CheckOptions, run_check

    run_check(
        CheckOptions(
            path=path,
            assignment_file=assignment_file,
            game=game,
            budget=None if full else budget,
            jobs=jobs,
            seed=seed,
            isolation=isolation,
            file=file,
            page=page,
            opened=opened,
        )
    )
