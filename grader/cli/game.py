"""`grader game FILE`."""

import sys

import click

from grader.cli.language import lang_option, speaker
from grader.cli.options import game_option, parse_game_options


@click.command()
@click.argument("game", metavar="FILE")
@game_option
@click.option(
    "--games", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="Random games to play."
)
@lang_option
def game(game: str, options: tuple[str, ...], games: int) -> None:
    """Check a game of your own: its rules, what it can be written as, and random games. FILE may also be a game's name."""
    from grader.cli.check_display import verdict_signs
    from grader.cli.terminal import echo_wrapped
    from grader.games import find_game, make_game
    from grader.games.conformance import check_conformance
    from grader.games.exam import Mark
    from grader.reports.check import render_verdict

    speak, marks = speaker(), verdict_signs()
    played = make_game(find_game(game), parse_game_options(options))
    listed = ", ".join(f"{name}={value}" for name, value in played.options().items())
    click.echo(f"{played.title} ({game}{': ' if listed else ''}{listed})\n")
    broken = False
    for verdict in check_conformance(played, games):
        broken |= verdict.mark is Mark.BAD
        echo_wrapped(render_verdict(verdict, speak, marks))
    click.echo(
        "\n"
        + (
            speak.say("Fix this first; the remaining checks run next time.")
            if broken
            else speak.say("Ready to be graded.")
        )
    )
    if broken:
        sys.exit(1)
