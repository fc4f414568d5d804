"""The options that `grader match` and `grader play` share: what is played, and under which limits."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from grader.language import say

LEVELS = ("none", "basic", "good", "strong")

Decorated = TypeVar("Decorated", bound=Callable[..., object])


def playing_options(command: Decorated) -> Decorated:
    """Give a command the options of everything that is played on the spot."""
    given = (
        click.option(
            "-c",
            "--assignment",
            "assignment_file",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Play by this assignment (default: assignment.yaml in the working folder, if any).",
        ),
        click.option(
            "--game",
            "game_name",
            metavar="GAME",
            help="The game, by name or in a file (default: detected from the code).",
        ),
        click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A game option, e.g. size=7."),
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
        click.option(
            "--isolation", type=click.Choice(LEVELS), help="Sandbox level (default: the strongest available)."
        ),
    )
    for option in reversed(given):
        command = option(command)
    return command


def game_options(texts: Sequence[str]) -> dict[str, Any]:
    """`size=7` and the like as names and their values."""
    return dict(_option(text) for text in texts)


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(
            say("{written}: write NAME=VALUE, e.g. size=7", written=repr(text)), param_hint="--option"
        )
    return name, int(value) if value.lstrip("-").isdecimal() else value
