"""What `grader match` and `grader play` share: the options that say what is played, and under which conditions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grader.games import Game, find_game
from grader.language import say

if TYPE_CHECKING:
    from grader.assignment import Assignment
    from grader.engine.match import EmptySeat
    from grader.inspection.players import ResolvedPlayer
    from grader.sandbox.limits import Limits
    from grader.sandbox.process import Seating

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
    players: "tuple[ResolvedPlayer, ...]"
    assignments: "tuple[Assignment, ...]" = ()
    """The one that it is played by, if there is one."""
    move_time: float | None = None
    """What the command line says about that."""

    def limits(self, isolation: str | None, overrun: str | None = None) -> "Limits":
        """What players are allowed: by the assignment, and as the command line says."""
        from grader.competition.seating import limits_of as limits_by
        from grader.sandbox.isolation import Level
        from grader.sandbox.limits import Limits, Overrun, TimeLimits

        level = Level[isolation.upper()] if isolation else None
        limits = (
            limits_by(self.assignments[0], Level.NONE)
            if self.assignments
            else Limits(time=TimeLimits(move=self.seconds))
        )
        time = limits.time
        if self.move_time is not None:
            time = replace(time, move=self.move_time, bank=None, increment=0.0)
        if overrun is not None:
            time = replace(time, overrun=Overrun(overrun))
        return replace(limits, time=time, isolation=level, required=level or Level.NONE)

    def widened(self, seating: "Seating | EmptySeat", isolation: str | None) -> "Seating | EmptySeat":
        """A seating with what the assignment allows this opponent beyond the students' limits."""
        from grader.assignment import OpponentLimits, OpponentTime
        from grader.competition.seating import opponent_limits
        from grader.sandbox.isolation import Level
        from grader.sandbox.process import Seating

        if not isinstance(seating, Seating) or not seating.reference:
            return seating
        allowed, usual = self.limits(isolation), (OpponentTime(), OpponentLimits())
        for assignment in self.assignments:
            for opponent in assignment.opponents:
                if opponent.is_own and opponent.name == seating.name and usual != (opponent.time, opponent.limits):
                    limits = opponent_limits(assignment, opponent, Level.NONE)
                    time = (
                        limits.time if self.move_time is None else replace(limits.time, move=self.move_time, bank=None)
                    )
                    wider = replace(limits, time=time, isolation=allowed.isolation, required=allowed.required)
                    return replace(seating, limits=wider)
        return seating


def terms(
    texts: Sequence[str],
    assignment_file: Path | None,
    game_name: str | None,
    options: Sequence[str],
    move_time: float | None,
) -> Terms:
    """Who plays what: as the command line says, and for the rest as the assignment does that was named or is here."""
    from grader.competition.prepare import opponent_of
    from grader.engine.match import game_told
    from grader.inspection.players import resolve_player

    wanted = find_game(game_name) if game_name is not None else None
    assignments = _assignments(assignment_file) if wanted is None or assignment_file is not None else ()
    named = [
        opponent_of(assignment, opponent)
        for text in texts
        for assignment in assignments
        if wanted in (None, type(assignment.rules))
        for opponent in assignment.opponents
        if opponent.name == text and not Path(text).exists()
    ]
    known = {player.name: player for player in named if not player.reference}
    players = tuple(known.get(text) or resolve_player(text) for text in texts)
    given, seconds = game_options(options), move_time or SECONDS
    if wanted is None and len(assignments) != 1:
        told = game_told(players)
        assignments = tuple(one for one in assignments if one.rules.name == told)
    else:
        assignments = tuple(one for one in assignments if wanted in (None, type(one.rules)))
    if len(assignments) != 1:
        return Terms(wanted, given, seconds, players, move_time=move_time)
    (assignment,) = assignments
    seconds = move_time or assignment.time.move or assignment.time.bank or SECONDS
    return Terms(type(assignment.rules), {**assignment.options, **given}, seconds, players, assignments, move_time)


def _assignments(named: Path | None) -> "tuple[Assignment, ...]":
    from grader.assignment import load_assignments

    here = Path("assignment.yaml")
    if named is not None:
        return load_assignments(named)
    return load_assignments(here, named=False) if here.is_file() else ()


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
