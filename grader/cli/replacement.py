"""Ask before the results of another assignment or class are replaced."""

import sys

from grader.cli import EXIT_INTERRUPTED
from grader.cli.language import confirm
from grader.cli.output import echo
from grader.cli.terminal import echo_wrapped
from grader.competition.records import Setup
from grader.errors import OptionError
from grader.language import Language, say
from grader.results.replacement import replaced_results


def confirm_replacement(setup: Setup, speak: Language, *, sure: bool, tournament: bool = False) -> None:
    """Say what would be replaced in the results folder, and ask. Raises `OptionError` if there is no terminal to ask at."""
    ids = [entrant.id for entrant in setup.entrants]
    request = setup.request
    replaced = replaced_results(request.results, setup.assignments, ids, only=bool(request.only), tournament=tournament)
    if replaced is None:
        return
    if not sure and not sys.stdin.isatty():
        raise OptionError(
            say(
                "{replaced} Choose another folder with -o, or add --yes to replace its grades and reports.",
                replaced=replaced,
            )
        )
    echo_wrapped(speak(replaced), err=True)
    if not sure and not confirm(say("Replace its grades and reports?"), default=False):
        echo(speak.say("Cancelled; nothing was played."), err=True)
        sys.exit(EXIT_INTERRUPTED)
