"""`grader report RESULTS`: write the reports again."""

from pathlib import Path

from grader import workflow
from grader.cli.help import command
from grader.cli.language import lang_option, speaker, speaker_for
from grader.cli.options import reveal_option
from grader.cli.results_options import known_game, results_argument
from grader.cli.run import show_result
from grader.cli.terminal import echo_wrapped
from grader.cli.tournament import show_standings
from grader.competition.grades import RunResult
from grader.results import saved
from grader.store import Store


@command(
    examples=[
        ("Regenerate the reports, e.g. after updating the grader", "grader report results"),
        ("In Spanish, and with the names of hidden opponents", "grader report results --lang es --reveal"),
    ]
)
@results_argument
@known_game
@reveal_option
@lang_option
def report(results: Path, reveal: bool) -> None:
    """Regenerate the reports in RESULTS from the recorded games, without playing.

    If the run was not finished, the reports are interim, and say so.
    """
    result = workflow.report(results, speaker_for, reveal=reveal)
    speak = speaker(*result.competition.setup.assignments)
    if isinstance(result, RunResult):
        show_result(result, results, speak)
    else:
        show_standings(result, results, speak)
    with Store.open_read_only(results) as store:
        if not result.competition.interim and saved.load_plan(store) is not None:
            echo_wrapped(
                speak.say(
                    "A later run into this folder was not finished: these are the results before it. Run its command again to "
                    "finish it."
                )
            )
