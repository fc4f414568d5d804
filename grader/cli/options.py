"""Arguments and options that several commands share."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from grader.language import say

LEVELS = ("none", "basic", "good", "strong")

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
"""A file that exists."""
EXISTING = click.Path(exists=True, path_type=Path)
"""A file or folder that exists."""
FOLDER = click.Path(file_okay=False, path_type=Path)
"""A folder to write to."""

Command = Callable[..., Any]
Decorated = TypeVar("Decorated", bound=Callable[..., object])

results_argument = click.argument("results", type=click.Path(exists=True, file_okay=False, path_type=Path))
game_option = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="A game option, e.g. size=7."
)
isolation_option = click.option(
    "--isolation", type=click.Choice(LEVELS), help="Sandbox level (default: the strongest available)."
)
jobs_option = click.option(
    "-j", "--jobs", type=click.IntRange(1), help="Games at a time; the number of cores if not given."
)
reveal_option = click.option("--reveal", is_flag=True, help="Name hidden opponents to students.")
seed_option = click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="Override the assignment's seed.")


def assignment_option(help_text: str, **settings: Any) -> Callable[[Decorated], Decorated]:
    """An option that names an assignment."""
    return click.option("-c", "--assignment", "assignment_file", type=FILE, help=help_text, **settings)


def _load_game(_: click.Context, __: click.Parameter, assignment: Path | None) -> None:
    """Load the game of an assignment: the one that was named, else `assignment.yaml` in the working folder, if any."""
    from grader.assignment import AssignmentError, load_assignments

    here = Path("assignment.yaml")
    if assignment is not None:
        load_assignments(assignment)
    elif here.is_file():
        with suppress(AssignmentError):  # it was not named, and may have nothing to do with these results
            load_assignments(here, named=False)


known_game = assignment_option(
    "The assignment that brings the game, where results of a course's own game come from another machine.",
    expose_value=False,
    callback=_load_game,
)
"""Gives a command that reads results an option to name their game: they hold no code, only its digest."""


def class_options(folder: str) -> Callable[[Command], Command]:
    """Give a command PATH and the options of a class; it is called with a `Request` and the cluster that was named.

    `folder` is where results go if nothing is said.
    """
    options = (
        click.argument("path", type=EXISTING),
        click.option("-c", "--assignment", type=FILE),
        click.option("-o", "--output", type=FOLDER, default=Path(folder), show_default=True),
        jobs_option,
        click.option(
            "--cluster",
            metavar="WHERE",
            help="Play on other machines: tcp://HOST:PORT of a Dask scheduler, local:N or slurm:FILE.",
        ),
        click.option("--game", metavar="GAME", help="Treat all submissions as this game: a name, or a file."),
        click.option(
            "--only", multiple=True, metavar="ID", help="Take only this submission; can be given several times."
        ),
        seed_option,
    )
    return lambda command: _apply(options, _with_request(command))


def _with_request(command: Command) -> Command:
    @wraps(command)
    def with_request(
        *, path: Path, output: Path, assignment: Path | None, jobs: int | None, cluster: str | None, **others: Any
    ) -> Any:
        from grader.workflow import make_request

        asked = {name: others.pop(name) for name in ("game", "only", "seed")}
        request = make_request(path, output, assignment, jobs=jobs, cluster=cluster, **asked)
        return command(request=request, cluster=cluster, **others)

    return with_request


def playing_options(command: Command) -> Command:
    """Give a command the options of everything that is played on the spot."""
    options = (
        assignment_option("Play by this assignment (default: assignment.yaml in the working folder, if any)."),
        click.option(
            "--game",
            "game_name",
            metavar="GAME",
            help="The game, by name or in a file (default: detected from the code).",
        ),
        game_option,
        click.option(
            "--time",
            "move_time",
            type=click.FloatRange(0.001, 86_400),
            help="Seconds per move (default: the assignment's, else 9).",
        ),
        click.option(
            "--seed",
            default=0,
            show_default=True,
            help="The same seed gives the same game, as far as the players allow.",
        ),
        isolation_option,
    )
    return _apply(options, command)


def game_options_by_name(command: Command) -> Command:
    """Give a command an option for every option of an installed game, such as `--size`."""
    from grader.games import installed_games

    names: dict[str, list[str]] = {}
    for kind in installed_games().values():
        for field in fields(kind):  # type: ignore[arg-type]  # every game is a dataclass
            names.setdefault(field.name, []).append(kind.title)
    options = [
        click.option(
            f"--{name.replace('_', '-')}",
            name,
            metavar="VALUE",
            help=f"{', '.join(titles)}: {name.replace('_', ' ')}.",
        )
        for name, titles in names.items()
    ]
    return _apply(options, command)


def _apply(options: Sequence[Callable[[Command], Command]], command: Command) -> Command:
    """Give a command these options, in the order in which its help shows them."""
    for option in reversed(options):
        command = option(command)
    return command


def parse_game_options(texts: Sequence[str]) -> dict[str, Any]:
    """`size=7` and the like as names and their values."""
    return dict(_parse_game_option(text) for text in texts)


def _parse_game_option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(
            say("{written}: write NAME=VALUE, e.g. size=7", written=repr(text)), param_hint="--option"
        )
    return name, int(value) if value.lstrip("-").isdecimal() else value
