"""`grader match FIRST SECOND`: play one game between two players."""

from contextlib import nullcontext
from pathlib import Path
from typing import get_args

import click

from grader.cli.completion import complete_player
from grader.cli.help import argument, command, option
from grader.cli.language import lang_option, speaker
from grader.cli.options import OUTPUT, WHAT_TO_PLAY, parse_game_options, playing_options
from grader.cli.output import echo
from grader.cli.output_files import FileToWrite, save_match
from grader.cli.spectators import MatchInfo, MovePrinter, draw_in_place
from grader.cli.terminal import at_terminal
from grader.competition.match_terms import match_terms
from grader.engine.match import prepare_match, run_match
from grader.language import say
from grader.records import Overrun
from grader.reports import match as report
from grader.sandbox.scratch import sweep


@command(
    examples=[
        ("Your player moves first against a reference player", "grader match solution.py mcts --game hex"),
        ("Watch two reference players on a small board", "grader match random mcts --option size=5 --watch"),
        ("Limit the reference player's search", 'grader match solution.py "mcts(simulations=500)" --time 2'),
    ]
)
@argument(
    "first", "The player that moves first: a file, a folder or a reference player.", shell_complete=complete_player
)
@argument("second", "The player that moves second.", shell_complete=complete_player)
@playing_options
@option(
    "--overrun",
    group=WHAT_TO_PLAY,
    type=click.Choice(get_args(Overrun)),
    metavar="ACTION",
    help="What happens when a move takes too long: forfeit, disqualify or random-move (default: the assignment's, else "
    "forfeit).",
)
@option(
    "-o",
    "--output",
    group=OUTPUT,
    type=FileToWrite(),
    default="match.json",
    show_default=True,
    help="Save the game to this file, for `grader replay`.",
)
@option("-q", "--quiet", group=OUTPUT, is_flag=True, help="Do not print the board.")
@option("--watch", "live", group=OUTPUT, is_flag=True, help="Redraw the board in place, with a clock (terminals only).")
@option(
    "--delay",
    group=OUTPUT,
    type=click.FloatRange(0, 60),
    default=0.5,
    show_default=True,
    help="Seconds to show each move with --watch.",
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
    """Play one game between FIRST and SECOND."""
    if live and quiet:
        raise click.UsageError(say("--watch draws the board and --quiet hides it: use only one of them."))
    sweep()
    terms = match_terms((first, second), assignment_file, game_name, parse_game_options(options), move_time)
    speak = speaker(*terms.assignments)
    one, two = terms.players
    game, (first_seat, second_seat) = prepare_match((one, two), terms.game, terms.options, seed)
    seatings = terms.widen(first_seat, isolation), terms.widen(second_seat, isolation)
    info = MatchInfo(game=game, names=(one.name, two.name), speak=speak)
    with (
        draw_in_place(info, limit=terms.seconds, delay=delay)
        if live and at_terminal()
        else nullcontext(MovePrinter(info, boards=not quiet)) as watch
    ):
        limits = terms.limits(isolation, overrun)
        record = run_match(game, seatings, limits, seed=seed, watch=watch, again=watch.restart)
    echo(report.render(record, game, speak))
    save_match(output, record)
    text = speak.say("Saved as {file}.", file=output)
    echo(f"\n{text}")
