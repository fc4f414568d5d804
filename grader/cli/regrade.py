"""`grader regrade RESULTS`."""

import sys
from pathlib import Path

import click

from grader.cli import EXIT_PROBLEM
from grader.cli.language import lang_option, speaker, speaker_for
from grader.cli.options import EXISTING, jobs_option, known_game, results_argument
from grader.cli.progress import resumable, watcher


@click.command()
@results_argument
@click.option("--only", multiple=True, metavar="ID", help="Grade only this submission; can be given several times.")
@click.option("--from", "source", type=EXISTING, help="Where the submissions are, if they have been moved.")
@jobs_option
@known_game
@lang_option
def regrade(results: Path, only: tuple[str, ...], source: Path | None, jobs: int | None) -> None:
    """Play the games of a submission in RESULTS again and show what came out differently. The old result stays."""
    from grader import workflow
    from grader.reports import regrading

    watch = watcher(speaker())
    with resumable(watch):
        context = workflow.Context(watch=watch, speak_for=speaker_for)
        again = workflow.regrade(results, only, source, jobs, context)
    speak = speaker(*again.result.prepared.assignments)
    click.echo(regrading.render(again.changes, speak))
    folder = str(again.folder)
    click.echo("\n" + speak.say("What was played now is in {folder}; the old results are as they were.", folder=folder))
    for one in again.result.competition.unplayed:
        click.echo(speak.say("Not played: {fault}", fault=one.text), err=True)
    if again.missing:
        click.echo(
            speak.say("Not among the submissions any more, so not graded: {ids}.", ids=", ".join(again.missing)),
            err=True,
        )
    if again.missing or any(change.after.status == "ungraded" for change in again.changes):
        sys.exit(EXIT_PROBLEM)
