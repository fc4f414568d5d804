"""`grader game FILE`: test the rules of a game."""

import sys

import click

from grader.cli import EXIT_PROBLEM
from grader.cli.check_display import sign_colours, verdict_signs
from grader.cli.completion import complete_game
from grader.cli.help import argument, command, option
from grader.cli.language import lang_option, speaker
from grader.cli.options import WHAT_TO_PLAY, game_option, parse_game_options
from grader.cli.output import echo
from grader.cli.terminal import echo_wrapped
from grader.games import find_game, make_game
from grader.games.conformance import check_conformance
from grader.games.exam import Mark
from grader.reports.check import render_verdict


@command(
    examples=[
        ("Test your own game", "grader game connect4.py"),
        ("Test a smaller board with more random games", "grader game hex --option size=5 --games 5000"),
    ]
)
@argument(
    "game", "A Python file with a game, or the name of an installed game.", metavar="FILE", shell_complete=complete_game
)
@game_option
@option(
    "--games",
    group=WHAT_TO_PLAY,
    type=click.IntRange(1, 1_000_000),
    default=1000,
    show_default=True,
    help="Random games to play.",
)
@lang_option
def game(game: str, options: tuple[str, ...], games: int) -> None:
    """Test your own game: its rules, how it is saved, and random games.

    Exit status 1 if it has a problem.
    """
    speak, signs, colours = speaker(), verdict_signs(), sign_colours()
    rules = make_game(find_game(game), parse_game_options(options))
    values = ", ".join(f"{name}={value}" for name, value in rules.options().items())
    echo(f"{rules.title} ({game}{': ' if values else ''}{values})\n")
    broken = False
    for verdict in check_conformance(rules, games):
        broken |= verdict.mark is Mark.BAD
        echo_wrapped(render_verdict(verdict, speak, signs), colours)
    conclusion = (
        speak.say("Fix this first; the remaining checks run next time.")
        if broken
        else speak.say("Ready to be used in an assignment.")
    )
    echo(f"\n{conclusion}")
    if broken:
        sys.exit(EXIT_PROBLEM)
