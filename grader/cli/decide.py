"""`grader run --decide`: ask which class plays where the grader cannot tell, and write the answers to the assignment."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from grader import workflow
from grader.assignment import Assignment, Override, render_assignment
from grader.assignment.override_writing import write_entries
from grader.cli.output import echo, read_line
from grader.cli.terminal import echo_wrapped
from grader.competition.assignments import read_assignments, relative_path
from grader.competition.records import Entrant, Request
from grader.errors import OptionError
from grader.intake.files import ASSIGNMENT
from grader.language import Language, say
from grader.results.write_files import write_whole

Answers = Sequence[tuple[Entrant, str]]
"""Submissions with the entries that the instructor chose."""


def decide(request: Request, speak: Language, *, write: bool) -> Request:
    """Ask about each submission that needs a decision, and return the request with the assignments that say so.

    Without `write`, the answers are in effect for this command only.
    """
    setup, _ = workflow.plan(request)
    undecided = [entrant for entrant in setup.entrants if entrant.needs_decision and entrant.candidates]
    if not undecided:
        echo(speak.say("Nothing to decide."), err=True)
        return request
    file = _file(request)
    answers = _ask_all(undecided, speak)
    if not answers:
        return request
    ids = ", ".join(entrant.id for entrant, _ in answers)
    decided = replace(request, assignments=_with_entries(request.assignments, answers))
    if not write:
        shown = speak.say("Nothing is played, so the overrides of {ids} were not written.", ids=ids)
        echo_wrapped(shown, err=True)
        return decided
    _write(file, request.assignments, answers, speak)
    echo_wrapped(speak.say("Wrote the overrides of {ids} to {file}.", ids=ids, file=relative_path(file)), err=True)
    return replace(decided, source=replace(request.source, file=file))


def _file(request: Request) -> Path:
    """The file of the assignments in effect; if they are built in, a new one in the working folder."""
    if request.source.file is not None:
        return request.source.file
    file = Path(ASSIGNMENT)
    if file.exists():  # part of a submission, so it is not in effect
        raise OptionError(
            say("--decide would overwrite {file}: name the assignment to change with -c.", file=str(file))
        )
    return file


def _ask_all(undecided: Sequence[Entrant], speak: Language) -> Answers:
    """What the instructor chose. The end of the input leaves the remaining submissions open."""
    answers = []
    for entrant in undecided:
        try:
            entry = _ask(entrant, speak)
        except EOFError:
            echo(err=True)
            break
        if entry:
            answers.append((entrant, entry))
    return answers


def _ask(entrant: Entrant, speak: Language) -> str:
    """The candidate that the instructor names by its number; empty to leave it open. Raises `EOFError`."""
    echo_wrapped(f"{entrant.id}: {speak(entrant.needs_decision)}", err=True)
    for number, candidate in enumerate(entrant.candidates, 1):
        echo_wrapped(f"  {number}. {candidate.entry}: {speak(candidate.why)}", err=True)
    while True:
        echo(speak.say("Which one plays? (number, or Enter to leave it open)") + " ", err=True, nl=False)
        answer = read_line("").strip()
        if not answer:
            return ""
        if answer.isdecimal() and 1 <= int(answer) <= len(entrant.candidates):
            return entrant.candidates[int(answer) - 1].entry
        echo(speak.say("Enter a number from 1 to {last}.", last=len(entrant.candidates)), err=True)


def _with_entries(assignments: Sequence[Assignment], answers: Answers) -> tuple[Assignment, ...]:
    return tuple(_with_own_entries(assignment, answers) for assignment in assignments)


def _with_own_entries(assignment: Assignment, answers: Answers) -> Assignment:
    overrides = dict(assignment.overrides)
    for entrant, entry in answers:
        if entrant.game == assignment.rules.name:
            overrides[entrant.id] = overrides.get(entrant.id, Override()).model_copy(update={"entry": entry})
    return assignment.model_copy(update={"overrides": overrides})


def _write(file: Path, assignments: Sequence[Assignment], answers: Answers, speak: Language) -> None:
    try:
        if file.exists():
            entries = {entrant.id: (entrant.assignment.game, entry) for entrant, entry in answers}
            with file.open(encoding="utf-8-sig", newline="") as opened:  # keeps the ends of its lines
                text = write_entries(opened.read(), relative_path(file), entries)
        else:  # without what the command line changes, such as the seed
            plain = [read_assignments(None, game=each.rules.name)[0] for each in assignments]
            text = "---\n".join(render_assignment(each, speak) for each in _with_entries(plain, answers))
        write_whole(file, text)
    except OSError as error:
        raise click.FileError(str(file), str(error.strerror)) from error
