"""`grader export KIND RESULTS`: hand the grades of a run to the systems around a course."""

import sys
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import EXIT_PROBLEM
from grader.cli.language import lang_option, speaker, speaker_for
from grader.cli.options import FILE, Decorated, assignment_option, known_game, results_argument, reveal_option
from grader.language import Language, say

if TYPE_CHECKING:
    from grader.assignment import Assignment
    from grader.exports.exported_grades import ExportedGrade
    from grader.exports.people import Delivery


@click.group()
def export() -> None:
    """Hand grades to the systems around a course, in their own files.

    Exit status 1 if a grade could not be handed on: which, and why, is listed.
    """


def _results(command: Decorated) -> Decorated:
    return results_argument(known_game(command))


def _output(default: str, what: str) -> Callable[[Decorated], Decorated]:
    return click.option(
        "-o", "--output", type=click.Path(path_type=Path), default=Path(default), show_default=True, help=what
    )


def _required_file(option: str, what: str) -> Callable[[Decorated], Decorated]:
    return click.option(option, type=FILE, required=True, help=what)


_scale = click.option(
    "--scale/--no-scale",
    default=True,
    help="Bring points to the maximum that the file says, or write them as they are.",
)
_assignment = assignment_option("The assignment to grade by.", required=True)


@export.command("gradescope")
@_results
@_output("gradescope", "The folder to write to: a folder with a results.json for each submission.")
@lang_option
def gradescope_(results: Path, output: Path) -> None:
    """A results.json of Gradescope for each submission."""
    from grader.exports import gradescope

    marks, speak = _load_marks(results)
    files = {
        output / mark.grade.id / "results.json": gradescope.render(mark, speaker_for(mark.assignment)) for mark in marks
    }
    _write(files, speak)
    _finish_and_list_ungraded(marks, speak)


@export.command("gradescope-autograder")
@_assignment
@_output("autograder.zip", "The zip to write.")
@lang_option
def gradescope_autograder_(assignment_file: Path, output: Path) -> None:
    """The zip of an autograder for Gradescope.

    It has setup.sh, run_autograder, the assignment and this grader itself.
    """
    from grader.exports import gradescope_autograder

    assignments = _assignments(assignment_file)
    speak = speaker(*assignments)
    _write({output: gradescope_autograder.build(assignments)}, speak)
    points = ", ".join(f"{sum(opponent.points for opponent in one.opponents):g}" for one in assignments)
    click.echo(
        speak.say(
            "Upload it under Configure Autograder, set the autograder's points to {points}, and its timeout to what "
            "`grader run … --dry-run` says at worst.",
            points=points,
        )
    )


@export.command("moodle")
@_results
@_required_file("--worksheet", "The grading worksheet that you downloaded from Moodle, in any language.")
@_output("moodle", "The folder to write to: the filled worksheet, and the zip of feedback files.")
@_scale
@reveal_option
@lang_option
def moodle_(results: Path, worksheet: Path, output: Path, scale: bool, reveal: bool) -> None:
    """Fill a grading worksheet of Moodle.

    The one that you downloaded comes back with grades and comments, beside a zip of feedback files for its upload.
    """
    from grader.exports import moodle

    marks, speak = _load_marks(results, reveal=reveal, pages=True)
    filled = moodle.fill(_read_file(worksheet), str(worksheet), marks, speak, scale=scale, reveal=reveal)
    target = output / worksheet.name
    _refuse_to_overwrite(worksheet, target)
    _write({target: filled.worksheet, output / "feedback.zip": moodle.feedback_zip(filled.participants)}, speak)
    _finish(filled.delivery, worksheet.name, speak)


@export.command("canvas")
@_results
@_required_file("--gradebook", "The gradebook that you exported from Canvas.")
@click.option("--column", metavar="NAME", help="The assignment's column, by its title or its number.")
@_output("canvas.csv", "The file to write, for the import in Canvas.")
@_scale
@lang_option
def canvas_(results: Path, gradebook: Path, column: str | None, output: Path, scale: bool) -> None:
    """Fill a column of a gradebook of Canvas."""
    from grader.exports import canvas

    marks, speak = _load_marks(results)
    filled, delivery = canvas.fill(_read_file(gradebook), str(gradebook), marks, column=column, scale=scale)
    _refuse_to_overwrite(gradebook, output)
    _write({output: filled}, speak)
    _finish(delivery, gradebook.name, speak)


@export.command("github-classroom")
@_results
@_output("github-classroom", "The folder to write to: a JSON file for each submission, and the same in base64.")
@reveal_option
@lang_option
def github_classroom_(results: Path, output: Path, reveal: bool) -> None:
    """What GitHub Classroom's reporter adds up."""
    from grader.exports import github_classroom

    marks, speak = _load_marks(results, reveal=reveal)
    files: dict[Path, str | bytes] = {}
    for mark in marks:
        rendered = github_classroom.render(mark, speaker_for(mark.assignment), reveal=reveal)
        files[output / f"{mark.grade.id}.json"] = rendered
        files[output / f"{mark.grade.id}.base64"] = github_classroom.encode(rendered)
    _write(files, speak)
    _finish_and_list_ungraded(marks, speak)


@export.command("github-workflow")
@_assignment
@_output(".", "The repository to write to: the workflow, the assignment and the grader, below .github.")
@lang_option
def github_workflow_(assignment_file: Path, output: Path) -> None:
    """A workflow that grades at every push.

    It goes into a repository of GitHub Classroom, with the assignment and this grader itself.
    """
    from grader.exports import github_workflow

    assignments = _assignments(assignment_file)
    speak = speaker(*assignments)
    _write({output / name: content for name, content in github_workflow.build(assignments).items()}, speak)
    if any(opponent.hidden for assignment in assignments for opponent in assignment.opponents):
        click.echo(
            speak.say(
                "The assignment lies in the repository, so that whoever can read that sees its hidden opponents."
            ),
            err=True,
        )


@export.command("junit")
@_results
@_output("junit.xml", "The file to write.")
@reveal_option
@lang_option
def junit_(results: Path, output: Path, reveal: bool) -> None:
    """JUnit's XML, for whatever shows test results.

    A suite for each submission, and a case for each game.
    """
    from grader.exports import junit
    from grader.store import FILE

    marks, speak = _load_marks(results, reveal=reveal)
    when = datetime.fromtimestamp((results / FILE).stat().st_mtime, timezone.utc)
    _write({output: junit.render(marks, speak, when=when, reveal=reveal)}, speak)
    _finish_and_list_ungraded(marks, speak)


def _load_marks(
    results: Path, *, reveal: bool = False, pages: bool = False
) -> "tuple[tuple[ExportedGrade, ...], Language]":
    """Everybody's mark, and the language to speak."""
    from grader.competition.grades import grade
    from grader.results import saved
    from grader.results.export_grades import export_grades
    from grader.store import Store

    with Store.open_read_only(results) as store:
        result = grade(saved.load_run(store))
    return export_grades(result, speaker_for, reveal=reveal, pages=pages), speaker(*result.prepared.assignments)


def _assignments(file: Path) -> "tuple[Assignment, ...]":
    from grader.competition.assignments import read_assignments_for

    return read_assignments_for(Path(), file)


def _read_file(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise click.FileError(str(file), str(error.strerror)) from error


def _refuse_to_overwrite(source: Path, target: Path) -> None:
    if target.resolve() == source.resolve():
        raise click.UsageError(
            say("{file}: this would overwrite what you downloaded. Name another place with -o.", file=str(target))
        )


def _write(files: "dict[Path, str] | dict[Path, bytes] | dict[Path, str | bytes]", speak: Language) -> None:
    """Write files whole, with the folders that they need, and say where."""
    from grader.results.write_files import write_whole

    for file, content in files.items():
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.is_dir():
                raise IsADirectoryError(0, speak.say("there is a folder of that name"))
            write_whole(file, content)
        except OSError as error:
            hint = say("{problem}; name another place with -o", problem=str(error.strerror))
            raise click.FileError(str(file), hint) from error
    click.echo(speak.say("Written: {files}", files=_few([str(file) for file in files])))


def _few(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 4 else f"{names[0]}, {names[1]}, … ({len(names)})"


def _finish(delivery: "Delivery", file: str, speak: Language) -> None:
    """Say what found no place, and exit with 1 if a grade did not."""
    done = len(delivery.rows) - len(delivery.held)
    click.echo(speak.say("1 grade is in it.") if done == 1 else speak.say("{done} grades are in it.", done=done))
    for line in delivery.summary_lines(speak, file):
        click.echo(line, err=True)
    if not delivery.complete:
        sys.exit(EXIT_PROBLEM)


def _finish_and_list_ungraded(marks: "tuple[ExportedGrade, ...]", speak: Language) -> None:
    ungraded = [mark.grade for mark in marks if mark.grade.score is None and mark.grade.status != "excused"]
    for grade in ungraded:
        click.echo(speak.say("{who}: not graded. {reason}", who=grade.id, reason=grade.reason), err=True)
    if ungraded:
        sys.exit(EXIT_PROBLEM)
