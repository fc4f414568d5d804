"""`grader doctor`: show the isolation levels of this machine."""

from grader.cli.help import command
from grader.cli.language import lang_option, speaker
from grader.cli.report_display import echo_report
from grader.errors import GraderFault
from grader.reports import doctor as report
from grader.sandbox.control_group import group_offer
from grader.sandbox.libraries import library_trials
from grader.sandbox.machine import level_offers
from grader.sandbox.speed import measure_speed


@command(
    examples=[
        ("See what this machine protects against before you grade on it", "grader doctor"),
        ("The same in Spanish", "grader doctor --lang es"),
    ]
)
@lang_option
def doctor() -> None:
    """Show which isolation levels this machine supports, how to get stronger isolation, and how fast it is."""
    speak = speaker()
    echo_report(report.render(level_offers(), group_offer(), library_trials(), _speed(), speak), speak)


def _speed() -> float | None:
    """The speed of a core, measured now; None if that fails."""
    try:
        return measure_speed()
    except GraderFault:
        return None
