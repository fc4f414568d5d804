"""`grader export TARGET`: write grades in the formats of other systems."""

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path

import click

from grader.assignment import Assignment
from grader.cli import EXIT_PROBLEM
from grader.cli.attention import show_zeros
from grader.cli.help import CliCommand, CliGroup, Decorated, option
from grader.cli.language import lang_option, speaker, speaker_for
from grader.cli.options import FILE, LEVELS, OUTPUT, assignment_option, reveal_option
from grader.cli.output import echo
from grader.cli.results_options import known_game, results_argument
from grader.competition import grades
from grader.competition.assignments import read_assignments
from grader.competition.grades import RunResult
from grader.exports import (
    canvas,
    github_classroom,
    github_workflow,
    gradescope,
    gradescope_autograder,
    junit,
    moodle,
)
from grader.exports.course_folder import requiring_isolation
from grader.exports.exported_grades import ExportedGrade
from grader.exports.people import Delivery
from grader.language import Language, say
from grader.results import saved
from grader.results.changed_games import refuse_changed_games
from grader.results.export_grades import export_grades
from grader.results.write_files import write_whole
from grader.sandbox.isolation import Level
from grader.store import FILE as DATABASE
from grader.store import Store

SUMMARIES = {
    "moodle": "Fill in a Moodle grading worksheet.",
    "canvas": "Fill in a column of a Canvas gradebook.",
    "gradescope": "Write a Gradescope results.json per submission.",
    "gradescope-autograder": "Build an autograder zip for Gradescope.",
    "github-classroom": "Write files for GitHub Classroom's reporter.",
    "github-workflow": "Write a GitHub workflow that grades every push.",
    "junit": "Write JUnit XML for CI systems.",
}
"""The targets in the order in which help lists them."""

_MOST_LISTED = 4
"""Files that are listed by name."""


@click.group(
    cls=CliGroup,
    summaries=SUMMARIES,
    examples=[
        (
            "Fill in the worksheet that you downloaded from Moodle",
            "grader export moodle results --worksheet grades.csv",
        ),
        ("Explain an export, with examples", "grader export canvas --help"),
    ],
)
@lang_option
def export() -> None:
    """Export grades to Moodle, Canvas, Gradescope or GitHub Classroom, or as JUnit XML.

    Exit status 1 if a grade could not be exported; the reasons are listed.
    """


def _results(callback: Decorated) -> Decorated:
    return results_argument(known_game(callback))


def _output(default: str, help_text: str) -> Callable[[Decorated], Decorated]:
    return option(
        "-o",
        "--output",
        group=OUTPUT,
        type=click.Path(path_type=Path),
        default=Path(default),
        show_default=True,
        help=help_text,
    )


def _required_file(name: str, help_text: str) -> Callable[[Decorated], Decorated]:
    return option(name, group="What to fill in", type=FILE, required=True, help=help_text)


_scale = option(
    "--scale/--no-scale",
    group=OUTPUT,
    default=True,
    help="Scale points to the file's maximum, or keep them (default: scale).",
)
_assignment = assignment_option("The assignment to grade with.", group="What to grade", required=True)
_accept_isolation = option(
    "--accept-isolation",
    group="What to grade",
    type=click.Choice(LEVELS),
    metavar="LEVEL",
    help="Grade even if the grading machine only offers this level (default: the assignment's level, at least good).",
)


@export.command(
    "moodle",
    cls=CliCommand,
    examples=[
        ("Fill in grades and feedback comments", "grader export moodle results --worksheet grades.csv"),
        ("Keep raw points", "grader export moodle results --worksheet grades.csv --no-scale"),
    ],
)
@_results
@_required_file("--worksheet", "The grading worksheet that you downloaded from Moodle, in any language.")
@_output("moodle", "The folder to write to: the worksheet and a zip of feedback files.")
@_scale
@reveal_option
@lang_option
def moodle_(results: Path, worksheet: Path, output: Path, scale: bool, reveal: bool) -> None:
    """Fill in a Moodle grading worksheet.

    Writes a copy of the worksheet with grades and comments, and a zip of feedback files to upload.
    """
    result, marks, speak = _load_marks(results, reveal=reveal, pages=True)
    filled = moodle.fill(_read_file(worksheet), str(worksheet), marks, speak, scale=scale, reveal=reveal)
    target = output / worksheet.name
    _refuse_to_overwrite(worksheet, target)
    show_zeros(result, {mark.grade.id for mark in filled.participants.values()}, speak)
    _write({target: filled.worksheet, output / "feedback.zip": moodle.feedback_zip(filled.participants)}, speak)
    _finish(filled.delivery, worksheet.name, speak)


@export.command(
    "canvas",
    cls=CliCommand,
    examples=[
        ("Fill in the only assignment of a gradebook", "grader export canvas results --gradebook grades.csv"),
        (
            "Choose one of several assignments by its title",
            'grader export canvas results --gradebook grades.csv --column "Game agent"',
        ),
    ],
)
@_results
@_required_file("--gradebook", "The gradebook that you exported from Canvas.")
@option("--column", group="What to fill in", metavar="NAME", help="The assignment's column, by title or number.")
@_output("canvas.csv", "The file to write, to be imported into Canvas.")
@_scale
@lang_option
def canvas_(results: Path, gradebook: Path, column: str | None, output: Path, scale: bool) -> None:
    """Fill in a column of a Canvas gradebook. Writes a copy of it."""
    result, marks, speak = _load_marks(results)
    filled, delivery = canvas.fill(_read_file(gradebook), str(gradebook), marks, column=column, scale=scale)
    _refuse_to_overwrite(gradebook, output)
    show_zeros(result, {mark.grade.id for mark in delivery.rows.values()}, speak)
    _write({output: filled}, speak)
    _finish(delivery, gradebook.name, speak)


@export.command(
    "gradescope",
    cls=CliCommand,
    examples=[
        ("Write gradescope/ID/results.json for each submission", "grader export gradescope results"),
        ("Write to another folder", "grader export gradescope results -o upload"),
    ],
)
@_results
@_output("gradescope", "The folder to write to, with ID/results.json for each submission.")
@lang_option
def gradescope_(results: Path, output: Path) -> None:
    """Write a Gradescope results.json for each submission."""
    result, marks, speak = _load_marks(results)
    files = {
        output / mark.grade.id / "results.json": gradescope.render(mark, speaker_for(mark.assignment))
        for mark in marks
        if not mark.is_unknown_zero
    }
    show_zeros(result, {mark.grade.id for mark in marks}, speak)
    _write(files, speak)
    _finish_and_list_ungraded(marks, speak)


@export.command(
    "gradescope-autograder",
    cls=CliCommand,
    examples=[
        ("Build autograder.zip", "grader export gradescope-autograder -c assignment.yaml"),
        ("Find out which time limit to set", "grader run submissions/ -c assignment.yaml --dry-run"),
    ],
)
@_assignment
@_accept_isolation
@_output("autograder.zip", "The zip to write.")
@lang_option
def gradescope_autograder_(assignment_file: Path, accept_isolation: str | None, output: Path) -> None:
    """Build an autograder zip for Gradescope.

    It contains setup.sh, run_autograder, the assignment and the grader itself.
    """
    assignments = _assignments(assignment_file, accept_isolation)
    speak = speaker(*assignments)
    _write({output: gradescope_autograder.build(assignments)}, speak)
    maxima = [sum(opponent.points for opponent in assignment.opponents) for assignment in assignments]
    echo(
        speak.say(
            "Upload it under Configure Autograder. Set the autograder's points to {points}, and its timeout to the "
            "longest time that `grader run … --dry-run` shows.",
            points=", ".join(speak.number(maximum) for maximum in maxima),
        )
    )
    _show_isolation(assignments, speak)


@export.command(
    "github-classroom",
    cls=CliCommand,
    examples=[
        ("Write github-classroom/ID.json and ID.base64", "grader export github-classroom results"),
        ("Write to another folder", "grader export github-classroom results -o upload"),
    ],
)
@_results
@_output("github-classroom", "The folder to write to: a JSON file for each submission, also encoded in base64.")
@reveal_option
@lang_option
def github_classroom_(results: Path, output: Path, reveal: bool) -> None:
    """Write result files for GitHub Classroom's grading reporter."""
    result, marks, speak = _load_marks(results, reveal=reveal)
    files: dict[Path, str | bytes] = {}
    for mark in marks:
        if mark.is_unknown_zero:  # the reporter would count it as zero
            continue
        rendered = github_classroom.render(mark, speaker_for(mark.assignment), reveal=reveal)
        files[output / f"{mark.grade.id}.json"] = rendered
        files[output / f"{mark.grade.id}.base64"] = github_classroom.encode(rendered)
    show_zeros(result, {mark.grade.id for mark in marks}, speak)
    _write(files, speak)
    _finish_and_list_ungraded(marks, speak)


@export.command(
    "github-workflow",
    cls=CliCommand,
    examples=[
        ("Add the workflow to the repository in this folder", "grader export github-workflow -c assignment.yaml"),
        ("Add it to another repository", "grader export github-workflow -c assignment.yaml -o ../template"),
    ],
)
@_assignment
@_accept_isolation
@_output(".", "The repository to write to; the workflow, the assignment and the grader go into its .github folder.")
@lang_option
def github_workflow_(assignment_file: Path, accept_isolation: str | None, output: Path) -> None:
    """Write a GitHub workflow that grades every push to a GitHub Classroom repository.

    The assignment and the grader itself are added to the repository too.
    """
    assignments = _assignments(assignment_file, accept_isolation)
    speak = speaker(*assignments)
    _write({output / name: content for name, content in github_workflow.build(assignments).items()}, speak)
    _show_isolation(assignments, speak)
    if any(opponent.hidden for assignment in assignments for opponent in assignment.opponents):
        echo(
            speak.say("Note: the repository contains the assignment, so students can see its hidden opponents."),
            err=True,
        )


@export.command(
    "junit",
    cls=CliCommand,
    examples=[
        ("Write junit.xml", "grader export junit results"),
        (
            "Write another file, with the names of hidden opponents",
            "grader export junit results -o grades.xml --reveal",
        ),
    ],
)
@_results
@_output("junit.xml", "The file to write.")
@reveal_option
@lang_option
def junit_(results: Path, output: Path, reveal: bool) -> None:
    """Write JUnit XML for CI systems: a suite for each submission, and a case for each game."""
    result, marks, speak = _load_marks(results, reveal=reveal)
    show_zeros(result, {mark.grade.id for mark in marks}, speak)
    when = datetime.fromtimestamp((results / DATABASE).stat().st_mtime, timezone.utc)
    _write({output: junit.render(marks, speak, when=when, reveal=reveal)}, speak)
    _finish_and_list_ungraded(marks, speak)


def _load_marks(
    results: Path, *, reveal: bool = False, pages: bool = False
) -> tuple[RunResult, tuple[ExportedGrade, ...], Language]:
    """The result of the run, the grades of all submissions, and the language in effect."""
    with Store.open_read_only(results) as store:
        competition = saved.load_run(store)
        refuse_changed_games(store, competition)
    result = grades.grade(competition)
    return result, export_grades(result, speaker_for, reveal=reveal, pages=pages), speaker(*result.setup.assignments)


def _assignments(file: Path, accept_isolation: str | None) -> tuple[Assignment, ...]:
    """The assignments in a file. Unless less is accepted, they require at least the isolation level good."""
    return requiring_isolation(read_assignments(file), Level[accept_isolation.upper()] if accept_isolation else None)


def _show_isolation(assignments: tuple[Assignment, ...], speak: Language) -> None:
    """Print the isolation level that is required where submissions will be graded."""
    echo(
        speak.say(
            "Nothing is graded on machines with an isolation level below {level}. To accept less, export it again with "
            "--accept-isolation.",
            level=", ".join(dict.fromkeys(assignment.isolation for assignment in assignments)),
        )
    )


def _read_file(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise click.FileError(str(file), str(error.strerror)) from error


def _refuse_to_overwrite(source: Path, target: Path) -> None:
    if target.resolve() == source.resolve():
        raise click.UsageError(
            say("{file}: this would overwrite your download. Choose another place with -o.", file=str(target))
        )


def _write(files: Mapping[Path, str | bytes], speak: Language) -> None:
    """Write complete files, create the folders they need, and list them."""
    for file, content in files.items():
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.is_dir():
                raise IsADirectoryError(0, speak.say("it is a folder"))
            write_whole(file, content)
        except OSError as error:
            hint = say("{problem}; choose another place with -o", problem=str(error.strerror))
            raise click.FileError(str(file), hint) from error
    names = [str(file) for file in files]
    if len(names) <= _MOST_LISTED:
        echo(speak.say("Wrote {files}.", files=_listed(names, speak)))
    else:
        echo(speak.say("Wrote {first} and {more} more files.", first=names[0], more=len(names) - 1))


def _listed(names: Sequence[str], speak: Language) -> str:
    """Names as a list in a sentence: `a, b and c`."""
    if len(names) < 2:
        return "".join(names)
    return speak.say("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])


def _finish(delivery: Delivery, file: str, speak: Language) -> None:
    """Print which grades could not be exported, and exit with status 1 if there are any."""
    count = len(delivery.rows) - len(delivery.withheld)
    echo(speak.say("Exported {n} grade.", "Exported {n} grades.", n=count))
    for line in delivery.summary_lines(speak, file):
        echo(line, err=True)
    if not delivery.complete:
        sys.exit(EXIT_PROBLEM)


def _finish_and_list_ungraded(marks: tuple[ExportedGrade, ...], speak: Language) -> None:
    ungraded = [mark.grade for mark in marks if mark.grade.score is None and mark.grade.status != "excused"]
    for grade in ungraded:
        echo(speak.say("{who}: not graded. {reason}", who=grade.id, reason=grade.reason), err=True)
    if ungraded:
        sys.exit(EXIT_PROBLEM)
