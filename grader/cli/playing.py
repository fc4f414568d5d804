"""What `grader match` and `grader play` share: the options that say what is played, and under which conditions."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grader.errors import OptionError
from grader.language import say

if TYPE_CHECKING:
    from grader.games import AnyGame
    from grader.intake.players import Contender
    from grader.sandbox.limits import Limits

LEVELS = ("none", "basic", "good", "strong")

Decorated = TypeVar("Decorated", bound=Callable[..., object])


def playing_options(command: Decorated) -> Decorated:
    """Give a command the options of everything that is played on the spot."""
    given = (
        click.option("--game", "game_name", help="hex or desconecta4; told from the code if not given."),
        click.option(
            "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game, as size=7."
        ),
        click.option(
            "--time",
            "move_time",
            type=click.FloatRange(0.001, 86_400),
            default=9.0,
            show_default=True,
            help="Seconds for a move.",
        ),
        click.option(
            "--seed", default=0, show_default=True, help="The same seed gives the same game, if the players let it."
        ),
        click.option(
            "--isolation", type=click.Choice(LEVELS), help="How to wall the players in; the best there is if not given."
        ),
    )
    for option in reversed(given):
        command = option(command)
    return command


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


def only_game(players: Sequence["Contender"]) -> str | None:
    """The one game that these players have in common, if all are reference players: there is no code to tell it from."""
    if not all(player.reference for player in players):
        return None
    common = set.intersection(*(_games(player) for player in players))
    return common.pop() if len(common) == 1 else None


def refuse_strangers(players: Sequence["Contender"], game: "AnyGame") -> None:
    """Raise `OptionError` for a reference player that does not play this game."""
    for player in players:
        if player.reference and game.name not in _games(player):
            raise OptionError(
                say(
                    "{name} does not play {game}: `grader list` shows who plays what.",
                    name=player.name,
                    game=game.title,
                )
            )


def _games(player: "Contender") -> set[str]:
    from grader.intake.catalogue import reference_players

    name = player.name.partition("(")[0].strip()
    return {game for reference in reference_players() if reference.name == name for game in reference.games}


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(
            say("{written}: write NAME=VALUE, as in size=7", written=repr(text)), param_hint="--option"
        )
    return name, int(value) if value.lstrip("-").isdecimal() else value
