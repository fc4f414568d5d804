"""`grader report RESULTS`."""

from pathlib import Path

import click

from grader.cli.language import lang_option, speaker, speaker_for
from grader.cli.options import known_game, results_argument, reveal_option


@click.command()
@results_argument
@reveal_option
@known_game
@lang_option
def report(results: Path, reveal: bool) -> None:
    """Write the reports in RESULTS again, from what was played, without playing."""
    from grader import workflow
    from grader.cli.run import show_result
    from grader.cli.tournament import show_standings
    from grader.competition.grades import RunResult

    result = workflow.report(results, speaker_for, reveal=reveal)
    speak = speaker(*result.competition.prepared.assignments)
    if isinstance(result, RunResult):
        show_result(result, results, speak)
    else:
        show_standings(result, results, speak)
