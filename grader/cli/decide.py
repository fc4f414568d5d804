"""`grader run --decide`: ask which class plays where the grader cannot tell, and write the answers to the assignment."""

from dataclasses import replace
from pathlib import Path

import click

from grader import workflow
from grader.assignment import Assignment, Override, render_assignment
from grader.assignment.override_writing import write_entries
from grader.cli.output import ask, echo
from grader.competition.assignments import ASSIGNMENT
from grader.competition.records import Entrant, Request
from grader.language import Language
from grader.results.write_files import write_whole


def decide(request: Request, speak: Language) -> Request:
    """Ask about each submission that needs a decision, and return the request with the assignments that say so."""
    setup, _ = workflow.plan(request)
    open_ = [entrant for entrant in setup.entrants if entrant.needs_decision and entrant.candidates]
    if not open_:
        echo(speak.say("Nothing to decide."), err=True)
    answers = {entrant.id: (entrant.assignment, entry) for entrant in open_ if (entry := _ask(entrant, speak))}
    if not answers:
        return request
    assignments = tuple(_with_entries(assignment, answers) for assignment in request.assignments)
    file = _write(request, assignments, answers, speak)
    echo(speak.say("Wrote the overrides of {ids} to {file}.", ids=", ".join(answers), file=str(file)), err=True)
    return replace(request, assignments=assignments)


def _ask(entrant: Entrant, speak: Language) -> str:
    """The candidate that the instructor names by its number; empty to leave it open."""
    echo(f"{entrant.id}: {speak(entrant.needs_decision)}", err=True)
    for number, candidate in enumerate(entrant.candidates, 1):
        echo(f"  {number}. {candidate.entry}: {speak(candidate.why)}", err=True)
    while True:
        answer = ask(speak.say("Which one plays? (number, or Enter to leave it open)")).strip()
        if not answer:
            return ""
        if answer.isdecimal() and 1 <= int(answer) <= len(entrant.candidates):
            return entrant.candidates[int(answer) - 1].entry


def _with_entries(assignment: Assignment, answers: dict[str, tuple[Assignment, str]]) -> Assignment:
    overrides = dict(assignment.overrides)
    for id_, (own, entry) in answers.items():
        if own == assignment:
            overrides[id_] = overrides.get(id_, Override()).model_copy(update={"entry": entry})
    return assignment.model_copy(update={"overrides": overrides})


def _write(
    request: Request,
    assignments: tuple[Assignment, ...],
    answers: dict[str, tuple[Assignment, str]],
    speak: Language,
) -> Path:
    """Write the answers to the assignment's file, or to a new one in the working folder if it is built in."""
    file = request.assignments[0].file or Path(ASSIGNMENT)
    try:
        if request.assignments[0].file is None:
            text = "---\n".join(render_assignment(assignment, speak) for assignment in assignments)
        else:
            entries = {id_: (assignment.game, entry) for id_, (assignment, entry) in answers.items()}
            text = write_entries(file.read_text(encoding="utf-8-sig"), str(file), entries)
        write_whole(file, text)
    except OSError as error:
        raise click.FileError(str(file), str(error.strerror)) from error
    return file
