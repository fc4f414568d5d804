"""`grader show RESULTS ID`."""

from pathlib import Path

import click

from grader.cli.language import lang_option, speaker
from grader.cli.options import known_game, results_argument


@click.command()
@results_argument
@click.argument("submission", metavar="ID")
@click.option("--moves", is_flag=True, help="Also each move of each game, with its time.")
@known_game
@lang_option
def show(results: Path, submission: str, moves: bool) -> None:
    """Print everything behind the grade of the submission ID in RESULTS."""
    from grader.reports import show as report
    from grader.results.lookup import find_evidence
    from grader.store import Store

    with Store.open_read_only(results) as store:
        evidence = find_evidence(store, submission)
    speak = speaker(evidence.assignment)
    click.echo(report.render(evidence, speak, moves=moves))
