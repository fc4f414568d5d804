"""`grader match A B`."""

from contextlib import nullcontext
from pathlib import Path
from typing import get_args

import click

from grader.cli.language import lang_option, speaker
from grader.cli.options import parse_game_options, playing_options
from grader.cli.output_files import FileToWrite, save_match
from grader.language import say
from grader.records import Overrun


@click.command()
@click.argument("first")
@click.argument("second")
@playing_options
@click.option(
    "--overrun",
    type=click.Choice(get_args(Overrun)),
    help="What a late move costs (default: the assignment's, else forfeit).",
)
@click.option("-o", "--output", type=FileToWrite(), default="match.json", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Do not draw the board.")
@click.option("--watch", "live", is_flag=True, help="Draw the board in place, with a clock, if this is a terminal.")
@click.option(
    "--delay",
    type=click.FloatRange(0, 60),
    default=0.5,
    show_default=True,
    help="Seconds to look at each move with --watch.",
)
@lang_option
def match(
    first: str,
    second: str,
    assignment_file: Path | None,
    game_name: str | None,
    options: tuple[str, ...],
    move_time: float | None,
    overrun: Overrun | None,
    seed: int,
    isolation: str | None,
    output: str,
    quiet: bool,
    live: bool,
    delay: float,
) -> None:
    """Play one match between FIRST and SECOND: files, folders or reference players. FIRST moves first."""
    from grader.cli.spectators import MatchInfo, MovePrinter, draw_in_place
    from grader.cli.terminal import at_terminal
    from grader.competition.match_terms import match_terms
    from grader.engine.match import prepare_match, run_match
    from grader.reports import match as report
    from grader.sandbox.scratch import sweep

    if live and quiet:
        raise click.UsageError(say("--watch draws the board and --quiet does not: give one of them"))
    sweep()
    given = match_terms((first, second), assignment_file, game_name, parse_game_options(options), move_time)
    speak = speaker(*given.assignments)
    one, two = given.players
    game, (first_seat, second_seat) = prepare_match((one, two), given.game, given.options, seed)
    seatings = given.widen(first_seat, isolation), given.widen(second_seat, isolation)
    info = MatchInfo(game=game, names=(one.name, two.name), speak=speak)
    shown = live and at_terminal()
    with (
        draw_in_place(info, limit=given.seconds, delay=delay)
        if shown
        else nullcontext(MovePrinter(info, boards=not quiet)) as watch
    ):
        limits = given.limits(isolation, overrun)
        record = run_match(game, seatings, limits, seed=seed, watch=watch, again=watch.restart)
    click.echo(report.render(record, game, speak))
    save_match(output, record)
    click.echo("\n" + speak.say("Saved as {file}.", file=output))
