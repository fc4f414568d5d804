"""The commands. The only place that prints and exits."""

import itertools
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader import __version__
from grader.errors import GraderError, IsolationError

if TYPE_CHECKING:
    from grader.games import AnyGame
    from grader.referee import Watch

EXIT_UNGRADED, EXIT_USAGE, EXIT_ISOLATION, EXIT_INTERRUPTED = 1, 2, 3, 130


class Commands(click.Group):
    """Turns what can go wrong into a sentence and an exit status."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command that was asked for."""
        kwargs["standalone_mode"] = False
        try:
            sys.exit(super().main(*args, **kwargs) or 0)
        except click.ClickException as error:
            error.show()
            sys.exit(error.exit_code)
        except (click.Abort, KeyboardInterrupt):
            click.echo("Interrupted.", err=True)
            sys.exit(EXIT_INTERRUPTED)
        except IsolationError as error:
            click.echo(f"grader: {error}", err=True)
            sys.exit(EXIT_ISOLATION)
        except GraderError as error:
            click.echo(f"grader: {error}", err=True)
            sys.exit(EXIT_USAGE if isinstance(error, ValueError) else EXIT_UNGRADED)
        except BrokenPipeError:  # the reader of our output has gone, as `head` does
            sys.stderr.close()
            sys.exit(0)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grader")
def main() -> None:
    """Grade game-playing agents: students' players against a course's reference players."""


@main.command("list")
def list_() -> None:
    """Show the games that can be graded, and their options."""
    from dataclasses import fields

    from grader.games import GAMES

    click.echo("Games")
    for name, game in GAMES.items():
        options = ", ".join(f"{field.name}={field.default}" for field in fields(game))
        click.echo(f"  {name:<12} {game.title} ({options})")


LEVELS = ("none", "basic", "good", "strong")


@main.command()
@click.argument("first")
@click.argument("second")
@click.option("--game", "game_name", help="hex or desconecta4; told from the code if not given.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game, as size=7.")
@click.option("--time", "move_time", default=9.0, show_default=True, help="Seconds for a move.")
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
    _save(output, json.dumps(as_json(record), indent=1, ensure_ascii=False) + "\n")
    click.echo(f"\nSaved as {output}.")


@main.command()
def doctor() -> None:
    """Say how well players can be walled in on this machine, and how to do better."""
    from grader.reports import doctor as report
    from grader.sandbox.machine import offers

    click.echo(report.render(offers()))


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


def _save(file: str, text: str) -> None:
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.FileError(file, hint=f"{error.strerror}; name another file with -o") from error
