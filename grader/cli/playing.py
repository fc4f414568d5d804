"""What `grader match` and `grader play` share: the options that say what is played, and under which conditions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grader.games import Game, find_game
from grader.language import say

if TYPE_CHECKING:
    from grader.assignment import Assignment
    from grader.intake.players import Contender
    from grader.sandbox.limits import Limits

SECONDS = 9.0
"""Per move, if nothing says otherwise."""
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


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played, and by which limits."""

    game: "str | type[Game] | None"
    """None if the players' code has to tell."""
    options: Mapping[str, Any]
    seconds: float
    """Per move."""
    players: "tuple[Contender, ...]"


def terms(
    texts: Sequence[str],
    assignment_file: Path | None,
    game_name: str | None,
    options: Sequence[str],
    move_time: float | None,
) -> Terms:
    """Who plays what: as the command line says, and for the rest as the assignment does that was named or is here."""
    from grader.engine.match import game_told
    from grader.intake.players import contender
    from grader.pipeline.prepare import opponent_of

    assignments = _assignments(assignment_file)
    wanted = find_game(game_name) if game_name is not None else None
    named = [
        opponent_of(assignment, opponent)
        for text in texts
        for assignment in assignments
        if wanted in (None, type(assignment.rules))
        for opponent in assignment.opponents
        if opponent.name == text and not Path(text).exists()
    ]
    known = {player.name: player for player in named if not player.reference}
    players = tuple(known.get(text) or contender(text) for text in texts)
    given, seconds = game_options(options), move_time or SECONDS
    if wanted is None and len(assignments) != 1:
        told = game_told(players)
        assignments = tuple(one for one in assignments if one.rules.name == told)
    else:
        assignments = tuple(one for one in assignments if wanted in (None, type(one.rules)))
    if len(assignments) != 1:
        return Terms(wanted, given, seconds, players)
    (assignment,) = assignments
    seconds = move_time or assignment.time.move or assignment.time.bank or SECONDS
    return Terms(type(assignment.rules), {**assignment.options, **given}, seconds, players)


def _assignments(named: Path | None) -> "tuple[Assignment, ...]":
    from grader.assignment import AssignmentError, load_assignments

    here = Path("assignment.yaml")
    if named is not None:
        return load_assignments(named)
    try:
        return load_assignments(here) if here.is_file() else ()
    except AssignmentError:  # it was not named, and may be about something else
        return ()


def limits_of(move_time: float, isolation: str | None, overrun: str = "forfeit") -> "Limits":
    """What players are allowed."""
    from grader.sandbox.isolation import Level
    from grader.sandbox.limits import Limits, Overrun, TimeLimits

    level = Level[isolation.upper()] if isolation else None
    times = TimeLimits(move=move_time, overrun=Overrun(overrun))
    return Limits(time=times, isolation=level, required=level or Level.NONE)


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
