"""`grader show`, `grader verify` and `grader regrade`: what stands behind grades, and whether it still does."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.game_options import known_game
from grader.cli.language import lang_option, speaker, speaker_for
from grader.cli.progress import resumable, watcher

if TYPE_CHECKING:
    from grader.competition.run import Graded
    from grader.reports.show import Behind
    from grader.store import Store

EXIT_DIFFERENT, EXIT_UNGRADED = 1, 1

_results = click.argument("results", type=click.Path(exists=True, file_okay=False, path_type=Path))


@click.command()
@_results
@click.argument("submission", metavar="ID")
@click.option("--moves", is_flag=True, help="Also each move of each game, with its time.")
@known_game
@lang_option
def show(results: Path, submission: str, moves: bool) -> None:
    """Print everything behind the grade of the submission ID in RESULTS."""
    from grader.reports import show as report
    from grader.results import saved
    from grader.store import Store

    with Store.to_read(results) as store:
        graded = saved.load(store)
        speak = speaker(*graded.prepared.assignments)
        click.echo(report.render(_behind(graded, store, submission), speak, moves=moves))


def _behind(graded: "Graded", store: "Store", submission: str) -> "Behind":
    from grader.reports.show import Behind
    from grader.results import saved
    from grader.results.lookup import games_of, own_files, submission_of

    candidate = submission_of(graded, submission)
    return Behind(
        grade=next(grade for grade in graded.grades if grade.id == candidate.id),
        submission=candidate.submission,
        assignment=candidate.assignment,
        isolation=str(graded.prepared.level),
        entry=": ".join(candidate.identity.get("entry") or ()),
        references=candidate.identity.get("reference", ""),
        own=own_files(candidate.assignment, candidate.identity),
        machine=saved.machine_of(store),
        played=games_of(graded, candidate),
        unplayed=tuple(fixture for fixture in candidate.planned if fixture.key not in graded.results),
        finished={fixture.key: store.finished(fixture.key) for fixture in candidate.planned},
    )


@click.command()
@_results
@click.option("--seal", metavar="HASH", help="What this command printed before: also say whether anything has changed.")
@known_game
@lang_option
def verify(results: Path, seal: str | None) -> None:
    """Run every recorded move in RESULTS through the rules and the scoring again, without any student's code."""
    from grader.reports import verification
    from grader.results.tournament_verify import verify as go_through
    from grader.store import Store

    with Store.to_read(results) as store:
        verified = go_through(store, results, seal)
    text = verification.render(
        [(doubt.where, doubt.text) for doubt in verified.doubts],
        submissions=verified.submissions,
        games=verified.games,
        moves=verified.moves,
        own=verified.own,
        seal=verified.seal,
        speak=speaker(*verified.assignments),
    )
    click.echo(text)
    if verified.doubts:
        sys.exit(EXIT_DIFFERENT)


@click.command()
@_results
@click.option("--only", multiple=True, metavar="ID", help="Grade only this submission; can be given several times.")
@click.option(
    "--from",
    "source",
    type=click.Path(exists=True, path_type=Path),
    help="Where the submissions are, if they have been moved.",
)
@click.option("-j", "--jobs", type=click.IntRange(1), help="Games at a time; the number of cores if not given.")
@known_game
@lang_option
def regrade(results: Path, only: tuple[str, ...], source: Path | None, jobs: int | None) -> None:
    """Play the games of a submission in RESULTS again and show what came out differently. The old result stays."""
    from grader.engine.local import physical_cores
    from grader.reports import regrading
    from grader.results.publish import publish
    from grader.results.regrade import regrade as play_again
    from grader.sandbox.scratch import Scratch, sweep

    sweep()
    watch = watcher(speaker())
    with resumable(watch), Scratch() as scratch:
        staging = Path(scratch.folder, "submissions")
        again = play_again(results, only, source, workers=jobs or physical_cores(), staging=staging, watch=watch)
    speak = speaker(*again.graded.prepared.assignments)
    publish(again.graded, again.folder, speak_for=speaker_for)
    click.echo(regrading.render(again.compared, speak))
    folder = str(again.folder)
    click.echo("\n" + speak.say("What was played now is in {folder}; the old results are as they were.", folder=folder))
    if again.gone:
        click.echo(
            speak.say("Not among the submissions any more, so not graded: {ids}.", ids=", ".join(again.gone)), err=True
        )
        sys.exit(EXIT_UNGRADED)
