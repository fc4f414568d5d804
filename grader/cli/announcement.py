"""Print what is going to be played, before any submission runs."""

from collections.abc import Callable
from pathlib import Path

from grader.assignment import Assignment
from grader.cli.terminal import echo_wrapped
from grader.competition.assignments import relative_path
from grader.competition.records import Request, Setup
from grader.intake.platforms import PLATFORMS
from grader.language import Language, Message, say
from grader.reports.isolation import isolation_warning
from grader.reports.labels import assignment_in_force
from grader.sandbox.isolation import Level

MAX_LISTED = 8


def announcer(speak: Language, *, of_results: Path | None = None) -> Callable[[Setup], None]:
    """A function that prints the assignment, what was recognised, and a warning about a low isolation level.

    `of_results` is the results folder with the assignment, if it does not come from a file.
    """

    def announce(setup: Setup) -> None:
        for line in (*_assignment_lines(setup.request, of_results), _submissions_line(setup)):
            echo_wrapped(speak(line), err=True)
        show_isolation(setup.level, speak)

    return announce


def show_assignment(assignment: Assignment | None, file: Path | None, speak: Language) -> None:
    """Print the assignment by which players play, if there is one."""
    if assignment is not None and file is not None:
        echo_wrapped(assignment_in_force(assignment, relative_path(file), speak))


def show_isolation(level: Level, speak: Language) -> None:
    """Print a warning if the isolation level is low."""
    if (warning := isolation_warning(str(level))) is not None:
        echo_wrapped(speak(warning), err=True)


def _assignment_lines(request: Request, results: Path | None) -> list[Message]:
    titles = "; ".join(assignment.title for assignment in request.assignments)
    file = results or request.source.file
    place = say("built in") if file is None else relative_path(file)
    lines = [say("Assignment: {place} ({titles})", place=place, titles=titles)]
    if request.source.may_be_a_students:
        lines.append(
            say("It is in the same folder as the only submission. If the student wrote it, add --single to ignore it.")
        )
    if request.source.ignored is not None:
        own = relative_path(request.source.ignored)
        lines.append(
            say("{file} was ignored, because it is part of the submission. To use it, add -c {file}.", file=own)
        )
    return lines


def _submissions_line(setup: Setup) -> Message:
    submissions = [entrant.submission for entrant in setup.entrants]
    names = ", ".join(setup.names[submission.id] for submission in submissions[:MAX_LISTED])
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
