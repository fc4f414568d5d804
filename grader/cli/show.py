"""`grader show RESULTS ID`: show everything behind a grade."""

from pathlib import Path

from grader.cli.completion import complete_result
from grader.cli.help import argument, command, option
from grader.cli.language import lang_option, speaker
from grader.cli.options import OUTPUT
from grader.cli.output import echo
from grader.cli.report_display import echo_report, echo_report_path
from grader.cli.results_options import known_game, results_argument, warn_of_changed_games
from grader.reports import show as report
from grader.results.lookup import find_evidence
from grader.store import Store


@command(
    examples=[
        ("Explain a grade", "grader show results ana"),
        ("The same with every move and its time", "grader show results ana --moves"),
    ]
)
@results_argument
@argument("submission", "The id or name of a submission.", metavar="ID", shell_complete=complete_result)
@known_game
@option("--moves", group=OUTPUT, is_flag=True, help="Also print every move of every game, with its time.")
@lang_option
def show(results: Path, submission: str, moves: bool) -> None:
    """Show everything behind the grade of the submission ID in RESULTS: its games, findings and assignment."""
    with Store.open_read_only(results) as store:
        evidence = find_evidence(store, submission)
        speak = speaker(evidence.assignment)
        warn_of_changed_games(store, [*(match.fixture for match in evidence.played), *evidence.unplayed], speak)
    echo_report(report.render(evidence, speak, moves=moves), speak)
    if (page := results / "report.html").is_file():
        echo()
        echo_report_path(page, speak)
