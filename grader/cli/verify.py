"""`grader verify RESULTS`."""

import sys
from pathlib import Path

import click

from grader.cli import EXIT_PROBLEM
from grader.cli.language import lang_option, speaker
from grader.cli.options import known_game, results_argument


@click.command()
@results_argument
@click.option("--seal", metavar="HASH", help="What this command printed before: also say whether anything has changed.")
@known_game
@lang_option
def verify(results: Path, seal: str | None) -> None:
    """Run every recorded move in RESULTS through the rules and the scoring again, without any student's code."""
    from grader import api
    from grader.reports import verification

    found = api.verify(results, seal)
    text = verification.render(
        [(doubt.where, doubt.text) for doubt in found.doubts],
        submissions=found.submissions,
        games=found.games,
        moves=found.moves,
        own=found.own,
        seal=found.seal,
        speak=speaker(*found.assignments),
    )
    click.echo(text)
    if found.doubts:
        sys.exit(EXIT_PROBLEM)
