"""Options that say which game a command is about: by name, in a file, or through an assignment."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import TypeVar

import click

Decorated = TypeVar("Decorated", bound=Callable[..., object])


def game_options_by_name(command: Decorated) -> Decorated:
    """Give a command an option for every option of an installed game, such as `--size`."""
    from grader.games import installed_games

    names: dict[str, list[str]] = {}
    for kind in installed_games().values():
        for field in fields(kind):  # type: ignore[arg-type]  # every game is a dataclass
            names.setdefault(field.name, []).append(kind.title)
    for name, titles in reversed(names.items()):
        option = f"--{name.replace('_', '-')}"
        command = click.option(option, name, metavar="VALUE", help=f"{', '.join(titles)}: {name.replace('_', ' ')}.")(
            command
        )
    return command


def _know_game(_: click.Context, __: click.Parameter, assignment: Path | None) -> None:
    """Load the game of an assignment: the one that was named, else `assignment.yaml` in the working folder, if any."""
    from grader.assignment import AssignmentError, load_assignments

    here = Path("assignment.yaml")
    if assignment is not None:
        load_assignments(assignment)
    elif here.is_file():
        with suppress(AssignmentError):  # it was not named, and may have nothing to do with these results
            load_assignments(here, named=False)


known_game = click.option(
    "-c",
    "--assignment",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    expose_value=False,
    callback=_know_game,
    help="The assignment that brings the game, where results of a course's own game come from another machine.",
)
"""Gives a command that reads results an option to name their game: they hold no code, only its digest."""
