"""`grader match A B`."""

import itertools
import json
from typing import TYPE_CHECKING, Any

import click

from grader.cli.files import save

if TYPE_CHECKING:
    from grader.games import AnyGame
    from grader.referee import Watch

LEVELS = ("none", "basic", "good", "strong")


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("--game", "game_name", help="hex or desconecta4; told from the code if not given.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game, as size=7.")
@click.option(
    "--time",
    "move_time",
    type=click.FloatRange(0.001, 86_400),
    default=9.0,
    show_default=True,
    help="Seconds for a move.",
)
@click.option(
    "--overrun", type=click.Choice(["forfeit", "disqualify", "random-move"]), default="forfeit", show_default=True
)
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same game, if the players let it.")
@click.option(
    "--isolation", type=click.Choice(LEVELS), help="How to wall the players in; the best there is if not given."
)
@click.option("-o", "--output", type=click.Path(dir_okay=False), default="match.json", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Do not draw the board.")
def match(
    first: str,
    second: str,
    game_name: str | None,
    options: tuple[str, ...],
    move_time: float,
    overrun: str,
    seed: int,
    isolation: str | None,
    output: str,
    quiet: bool,
) -> None:
    """Play one match between FIRST and SECOND: files, folders or reference players. FIRST moves first."""
    from grader.engine.match import arrange, run_match
    from grader.intake.players import contender
    from grader.records import as_json
    from grader.reports import match as report
    from grader.sandbox.isolation import Level
    from grader.sandbox.limits import Limits, Overrun, TimeLimits
    from grader.sandbox.scratch import sweep

    sweep()
    level = Level[isolation.upper()] if isolation else None
    limits = Limits(
        time=TimeLimits(move=move_time, overrun=Overrun(overrun)), isolation=level, required=level or Level.NONE
    )
    players = (contender(first), contender(second))
    game, seatings = arrange(players, game_name, dict(_option(text) for text in options), seed)
    record = run_match(
        game,
        seatings,
        limits,
        seed=seed,
        watch=(lambda *_: None) if quiet else _drawing(game, (players[0].name, players[1].name)),
        again=lambda why: click.echo(f"{why} Playing it again.", err=True),
    )
    click.echo(report.render(record))
    save(output, json.dumps(as_json(record), indent=1, ensure_ascii=False) + "\n")
    click.echo(f"\nSaved as {output}.")


def _option(text: str) -> tuple[str, Any]:
    """`size=7` as a name and its value."""
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r}: write NAME=VALUE, as in size=7", param_hint="--option")
    return name, int(value) if value.lstrip("-").isdecimal() else value


def _drawing(game: "AnyGame", names: tuple[str, str]) -> "Watch":
    """Show each move as it is made, and the board after it."""
    number = itertools.count(1)

    def watch(position: Any, move: str) -> None:
        ply = next(number)
        click.echo(f"{ply}. {names[(ply - 1) % 2]} plays {move}\n{game.draw(position)}\n")

    return watch
