"""Arguments and options that several commands share."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from grader.cli.completion import complete_game
from grader.cli.help import Decorated, option
from grader.games import installed_games
from grader.language import say
from grader.seeds import LARGEST_SEED

WHAT_TO_GRADE, WHAT_TO_PLAY, WHERE_TO_RUN, OUTPUT = "What to grade", "What to play", "Where to run", "Output"
"""Titles of groups of options."""

LEVELS = ("none", "basic", "good", "strong")

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
"""A file that exists."""
EXISTING = click.Path(exists=True, path_type=Path)
"""A file or folder that exists."""
FOLDER = click.Path(file_okay=False, path_type=Path)
"""A folder to write to."""

Callback = Callable[..., Any]
"""The function that a command calls."""

game_option = option(
    "--option",
    "options",
    group=WHAT_TO_PLAY,
    multiple=True,
    metavar="NAME=VALUE",
    help="A game option, e.g. size=7 (can be repeated).",
)
isolation_option = option(
    "--isolation",
    group=WHERE_TO_RUN,
    type=click.Choice(LEVELS),
    metavar="LEVEL",
    help="Isolation level: none, basic, good or strong (default: the strongest available).",
)
accept_isolation_option = option(
    "--accept-isolation",
    group=WHERE_TO_RUN,
    type=click.Choice(LEVELS),
    metavar="LEVEL",
    help="Play even if this machine only offers this level and the assignment requires more.",
)
jobs_option = option(
    "-j",
    "--jobs",
    group=WHERE_TO_RUN,
    type=click.IntRange(1),
    help="Games to play in parallel (default: the number of cores).",
)
reveal_option = option("--reveal", group=OUTPUT, is_flag=True, help="Tell students the names of hidden opponents.")
seed_option = option(
    "--seed",
    group=WHAT_TO_PLAY,
    type=click.IntRange(0, LARGEST_SEED),
    help="Override the assignment's seed; the same seed gives the same games.",
)


def assignment_option(help_text: str, group: str = WHAT_TO_PLAY, **settings: Any) -> Callable[[Decorated], Decorated]:
    """An option that names an assignment."""
    return option("-c", "--assignment", "assignment_file", group=group, type=FILE, help=help_text, **settings)


def game_name_option(help_text: str, name: str = "game", group: str = WHAT_TO_PLAY) -> Callable[[Decorated], Decorated]:
    """An option that names a game."""
    return option("--game", name, group=group, metavar="GAME", shell_complete=complete_game, help=help_text)


def single_option(group: str) -> Callable[[Decorated], Decorated]:
    """An option that says whether PATH is one submission or a class."""
    return option(
        "--single/--class",
        group=group,
        default=None,
        help="Treat PATH as a single submission, or as a class in which each file or folder is a submission (default: detected).",
    )


def class_option(group: str) -> Callable[[Decorated], Decorated]:
    """An option for commands that need a class: PATH is one, whatever it looks like. Gives False as `single`, or None."""
    return option(
        "--class",
        "single",
        group=group,
        is_flag=True,
        callback=lambda _context, _parameter, chosen: False if chosen else None,
        help="Treat PATH as a class in which each file or folder is a submission (default: detected).",
    )


def playing_options(command: Callback) -> Callback:
    """Give a command the options of a single game."""
    options = (
        assignment_option(
            "Use this assignment (default: assignment.yaml next to the player or in the working folder, if any)."
        ),
        game_name_option("The game, by name or in a file (default: detected from the code).", "game_name"),
        game_option,
        option(
            "--time",
            "move_time",
            group=WHAT_TO_PLAY,
            type=click.FloatRange(0.001, 86_400),
            help="Seconds per move (default: the assignment's, else 9).",
        ),
        option(
            "--seed",
            group=WHAT_TO_PLAY,
            default=0,
            show_default=True,
            help="Random seed: the same seed gives the same game if the players are deterministic.",
        ),
        isolation_option,
    )
    return apply_options(options, command)


def game_options_by_name(command: Callback) -> Callback:
    """Give a command an option for every option of an installed game, such as `--size`."""
    helps: dict[str, list[str]] = {}
    for kind in installed_games().values():
        for field in fields(kind):  # type: ignore[arg-type]  # every game is a dataclass
            meaning = kind.option_help.get(field.name, field.name.replace("_", " "))
            text = f"{kind.title}: {meaning} (default: the assignment's, else {field.default})."
            helps.setdefault(field.name, []).append(text)
    options = [
        option(
            f"--{name.replace('_', '-')}",
            name,
            group=WHAT_TO_PLAY,
            metavar="VALUE",
            help=" ".join(texts),
        )
        for name, texts in helps.items()
    ]
    return apply_options(options, command)


def apply_options(options: Sequence[Callable[[Callback], Callback]], command: Callback) -> Callback:
    """Give a command these options, in this order."""
    for add in reversed(options):
        command = add(command)
    return command


def parse_game_options(texts: Sequence[str]) -> dict[str, Any]:
    """The values of options such as `size=7`, by name."""
    return dict(_parse_game_option(text) for text in texts)


def _parse_game_option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(
            say("{written}: write NAME=VALUE, e.g. size=7.", written=repr(text)), param_hint="--option"
        )
    return name, int(value) if value.lstrip("-").isdecimal() else value
