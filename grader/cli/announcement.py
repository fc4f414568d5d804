"""Print what is going to be played, before any submission runs."""

from collections.abc import Callable

from grader.cli.output import echo
from grader.competition.assignments import relative_path
from grader.competition.records import Request, Setup
from grader.intake.platforms import PLATFORMS
from grader.language import Language, Message, say
from grader.reports.isolation import isolation_warning
from grader.sandbox.isolation import Level

MAX_LISTED = 8


def announcer(speak: Language) -> Callable[[Setup], None]:
    """A function that prints the assignment, what was recognised, and a warning about a low isolation level."""

    def announce(setup: Setup) -> None:
        for line in (*_assignment_lines(setup.request), _submissions_line(setup)):
            echo(speak(line), err=True)
        show_isolation(setup.level, speak)

    return announce


def show_isolation(level: Level, speak: Language) -> None:
    """Print a warning if the isolation level is low."""
    if (warning := isolation_warning(str(level))) is not None:
        echo(speak(warning), err=True)


def _assignment_lines(request: Request) -> list[Message]:
    titles = ", ".join(assignment.title for assignment in request.assignments)
    place = say("built in") if request.source.file is None else relative_path(request.source.file)
    lines = [say("Assignment: {place} ({titles})", place=place, titles=titles)]
    if request.source.ignored is not None:
        file = relative_path(request.source.ignored)
        lines.append(
            say("{file} was ignored, because it is part of the submission. To use it, add -c {file}.", file=file)
        )
    return lines


def _submissions_line(setup: Setup) -> Message:
    submissions = [entrant.submission for entrant in setup.entrants]
    names = ", ".join(submission.id for submission in submissions[:MAX_LISTED])
    names += ", …" if len(submissions) > MAX_LISTED else ""
    platforms = {PLATFORMS[submission.platform] for submission in submissions if submission.platform in PLATFORMS}
    if platforms:
        return say(
            "{n} submission in a {platform} download: {names}",
            "{n} submissions in a {platform} download: {names}",
            n=len(submissions),
            platform=", ".join(sorted(platforms)),
            names=names,
        )
    return say("{n} submission: {names}", "{n} submissions: {names}", n=len(submissions), names=names)
