"""`grader verify RESULTS`."""

import sys
from pathlib import Path

import click

from grader.cli.game_options import known_game
from grader.cli.language import lang_option, speaker

EXIT_DIFFERENT = 1


@click.command()
@click.argument("results", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--seal", metavar="HASH", help="What this command printed before: also say whether anything has changed.")
@known_game
@lang_option
def verify(results: Path, seal: str | None) -> None:
    """Run every recorded move in RESULTS through the rules and the scoring again, without any student's code."""
    from grader.reports import verification
    from grader.results.verify import verify as verify_results
    from grader.store import Store

    with Store.open_read_only(results) as store:
        found = verify_results(store, results, seal)
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
        sys.exit(EXIT_DIFFERENT)
