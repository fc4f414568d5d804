"""`grader match FIRST SECOND`: play one or more games between two players."""

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import click

from grader.cli.announcement import show_assignment
from grader.cli.completion import complete_player
from grader.cli.help import argument, command, option
from grader.cli.language import lang_option, speaker
from grader.cli.options import OUTPUT, WHAT_TO_PLAY, parse_game_options, playing_options
from grader.cli.output import echo
from grader.cli.output_files import FileToWrite, save_match, save_matches
from grader.cli.spectators import MatchInfo, MovePrinter, draw_in_place
from grader.cli.terminal import at_terminal
from grader.competition.match_terms import MatchTerms, match_terms
from grader.engine.match import prepare_match, run_match
from grader.errors import GraderFault
from grader.games import Game
from grader.language import Language, say
from grader.records import MatchRecord, Overrun
from grader.reports import match as report
from grader.reports import series
from grader.sandbox.scratch import sweep


@command(
    examples=[
        ("Your player moves first against a reference player", "grader match solution.py mcts --game hex"),
        ("Watch two reference players on a small board", "grader match random mcts --option size=5 --watch"),
        ("Play ten games, each player moving first in five", "grader match mine/ friend/ --games 10"),
        ("Limit the reference player's search", 'grader match solution.py "mcts(simulations=500)" --time 2'),
    ]
)
@argument(
    "first", "The player that moves first: a file, a folder or a reference player.", shell_complete=complete_player
)
@argument("second", "The player that moves second.", shell_complete=complete_player)
@option(
    "--games",
    group=WHAT_TO_PLAY,
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="Play several games, with the players taking turns moving first, and print the score.",
)
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
    help="Save the game, or all games, to this file, for `grader replay`.",
)
@option(
    "-q",
    "--quiet",
    group=OUTPUT,
    is_flag=True,
    help="Do not print the board (with --games, boards are printed only by --watch).",
)
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
    games: int,
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
    """Play one game between FIRST and SECOND, or several with --games."""
    if live and quiet:
        raise click.UsageError(say("--watch draws the board and --quiet hides it: use only one of them."))
    sweep()
    terms = match_terms((first, second), assignment_file, game_name, parse_game_options(options), move_time)
    speak = speaker(*terms.assignments)
    show_assignment(terms.in_force, terms.source, speak)
    shown = Shown(boards=not quiet and games == 1, live=live and at_terminal(), delay=delay)
    contest = Contest(terms=terms, isolation=isolation, overrun=overrun, shown=shown, speak=speak)
    if games > 1:
        _play_series(contest, games, seed, output)
        return
    game, record = contest.play(seed)
    echo(report.render(record, game, speak))
    save_match(output, record)
    text = speak.say("Saved as {file}.", file=output)
    echo(f"\n{text}")


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a game while it is played."""

    boards: bool
    live: bool
    delay: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Two players and everything that their games have in common."""

    terms: MatchTerms
    isolation: str | None
    overrun: Overrun | None
    shown: Shown
    speak: Language

    def play(self, seed: int, *, swapped: bool = False) -> tuple[Game, MatchRecord]:
        """Play a game, in which the second player moves first if `swapped`."""
        terms, shown = self.terms, self.shown
        one, two = reversed(terms.players) if swapped else terms.players
        game, (first_seat, second_seat) = prepare_match((one, two), terms.game, terms.options, seed)
        seatings = terms.widen(first_seat, self.isolation), terms.widen(second_seat, self.isolation)
        info = MatchInfo(game=game, names=(one.name, two.name), speak=self.speak)
        with (
            draw_in_place(info, limit=terms.seconds, delay=shown.delay)
            if shown.live
            else nullcontext(MovePrinter(info, boards=shown.boards)) as watch
        ):
            limits = terms.limits(self.isolation, self.overrun)
            return game, run_match(game, seatings, limits, seed=seed, watch=watch, again=watch.restart)


def _play_series(contest: Contest, games: int, seed: int, output: str) -> None:
    """Play several games, save them, and print the score; if interrupted, that of the games played so far."""
    speak, records = contest.speak, list[MatchRecord]()
    one, two = (player.name for player in contest.terms.players)
    stopped: BaseException | None = None
    try:
        for number in range(games):
            game, record = contest.play(seed + number, swapped=bool(number % 2))
            records.append(record)
            echo(series.render_game(record, game, number + 1, games, speak))
    except (KeyboardInterrupt, GraderFault) as error:
        stopped = error
    names = one, two if one != two else f"{two} (2)"
    score = series.render(records, names, speak)
    echo(f"\n{score}")
    if records:
        save_matches(output, records)
        text = speak.say(
            "Saved as {file}. To see a game: `grader replay {file} --game {number}`", file=output, number=len(records)
        )
        echo(f"\n{text}")
    if stopped is not None:
        raise stopped
