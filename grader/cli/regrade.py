"""`grader regrade RESULTS`: play the games of submissions again."""

import sys
from pathlib import Path

from grader import workflow
from grader.cli import EXIT_PROBLEM
from grader.cli.announcement import announcer
from grader.cli.completion import complete_result
from grader.cli.help import command, option
from grader.cli.language import lang_option, speaker, speaker_for
from grader.cli.options import EXISTING, WHAT_TO_GRADE, accept_isolation_option, jobs_option
from grader.cli.output import echo
from grader.cli.progress import resumable, watcher
from grader.cli.report_display import echo_report
from grader.cli.results_options import known_game, results_argument
from grader.reports import regrading, verification
from grader.results import saved
from grader.store import Store


@command(
    examples=[
        ("Play the games of one student again", "grader regrade results --only ana"),
        ("Play all games again after moving the submissions", "grader regrade results --from archive/submissions/"),
    ]
)
@results_argument
@option(
    "--only",
    group=WHAT_TO_GRADE,
    multiple=True,
    metavar="ID",
    shell_complete=complete_result,
    help="Grade only this submission (can be repeated).",
)
@option(
    "--from",
    "source",
    group=WHAT_TO_GRADE,
    type=EXISTING,
    help="The folder or zip of the submissions, if they have been moved.",
)
@known_game
@jobs_option
@accept_isolation_option
@lang_option
def regrade(
    results: Path, only: tuple[str, ...], source: Path | None, jobs: int | None, accept_isolation: str | None
) -> None:
    """Play the games of the submissions in RESULTS again and show what has changed. The old results are kept.

    Exit status 1 if a submission could not be graded.
    """
    with Store.open_read_only(results) as store:
        speak = speaker(*saved.load_run(store).setup.assignments)
    watch = watcher(speak)
    with resumable(watch):
        announce = announcer(speak, of_results=results)
        context = workflow.Context(announce=announce, watch=watch, speak_for=speaker_for)
        again = workflow.regrade(results, only, source, jobs, context, accept_isolation)
    echo_report(regrading.render(again.changes, speak), speak)
    text = speak.say("New results: {folder}. The old results were kept.", folder=str(again.folder))
    echo(f"\n{text}\n{verification.render_seal(again.result.competition.seal, speak)}")
    for fault in again.result.competition.unplayed:
        echo(speak.say("Not played: {fault}", fault=fault.text), err=True)
    if again.missing:
        echo(speak.say("Not graded, no longer among the submissions: {ids}.", ids=", ".join(again.missing)), err=True)
    if again.missing or any(change.after.status == "ungraded" for change in again.changes):
        sys.exit(EXIT_PROBLEM)
