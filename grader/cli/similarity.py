"""`grader similarity PATH`: find submissions that share code."""

from pathlib import Path

import click

from grader.cli.help import argument, command, option
from grader.cli.language import lang_option, speaker
from grader.cli.options import EXISTING, FOLDER, OUTPUT, single_option
from grader.cli.output import echo
from grader.cli.output_files import save
from grader.kit import handout_folders
from grader.language import say
from grader.reading.tasks import DocumentReading
from grader.reports import similarity as report
from grader.reports.html import similarity as html
from grader.sandbox.scratch import Scratch, sweep
from grader.similarity import compare
from grader.similarity.documents import course_document, handout_document, reference_documents

WHAT_TO_COMPARE = "What to compare"


@command(
    examples=[
        ("List pairs of submissions with 30 % or more in common", "grader similarity submissions/"),
        ("Ignore code that you gave to the students", "grader similarity submissions/ --handout handout/"),
        (
            "Only the 10 closest pairs with 60 % or more in common",
            "grader similarity submissions/ --at-least 60 --top 10",
        ),
    ]
)
@argument("path", "A folder or zip of submissions.", type=EXISTING)
@single_option(WHAT_TO_COMPARE)
@option(
    "--handout",
    "handouts",
    group=WHAT_TO_COMPARE,
    multiple=True,
    type=EXISTING,
    help="A folder or file handed out by the course, to be ignored (can be repeated).",
)
@option(
    "--at-least",
    group=WHAT_TO_COMPARE,
    type=click.FloatRange(1, 100),
    default=30,
    show_default=True,
    metavar="PERCENT",
    help="Smallest overlap to list, as a percentage of either submission.",
)
@option(
    "--top",
    group=OUTPUT,
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Maximum number of pairs to list.",
)
@option(
    "-o",
    "--output",
    group=OUTPUT,
    type=FOLDER,
    default=Path("similarity"),
    show_default=True,
    help="The folder for the reports.",
)
@lang_option
def similarity(
    path: Path, single: bool | None, handouts: tuple[Path, ...], at_least: float, top: int, output: Path
) -> None:
    """Find submissions in PATH that share code. This shows where to look; it proves nothing."""
    speak = speaker()
    sweep()
    with (
        Scratch() as scratch,
        DocumentReading(path, Path(scratch.folder) / "submissions", single=single) as reading,
    ):
        handout = [course_document(), *map(handout_document, handout_folders()), *map(handout_document, handouts)]
        references = reference_documents()
        submissions = reading.documents()
    _make_folder(output)
    comparison = compare(
        submissions,
        handout=handout,
        references=references,
        at_least=at_least / 100,
        most=top,
    )
    echo(report.render(comparison, speak))
    save(str(output / "similarity.html"), html.render(comparison, speak))
    save(str(output / "similarity.json"), report.render_json(comparison))
    save(str(output / "similarity.csv"), report.render_csv(comparison, speak))
    text = speak.say("Report: {file}", file=str(output / "similarity.html"))
    echo(f"\n{text}")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        hint = say("{problem}; choose another folder with -o", problem=error.strerror or "")
        raise click.FileError(str(folder), hint) from error
