"""`grader similarity PATH`: find submissions that share code."""

from pathlib import Path

import click

from grader.cli.help import argument, command, option
from grader.cli.language import lang_option, speaker
from grader.cli.options import EXISTING, FOLDER, OUTPUT, class_option
from grader.cli.output import echo
from grader.cli.output_files import save
from grader.cli.report_display import echo_report, echo_report_path
from grader.kit import handout_folders
from grader.language import say
from grader.reading.source_folders import read_sources
from grader.reading.source_index import SourceIndex, default_index
from grader.reading.tasks import DocumentReading
from grader.reports import similarity as report
from grader.reports.html import similarity as html
from grader.reports.similarity_files import render_csv, render_json
from grader.sandbox.scratch import Scratch, sweep
from grader.similarity import compare
from grader.similarity.documents import course_document, handout_document, reference_documents

WHAT_TO_COMPARE = "What to compare"


@command(
    examples=[
        ("List groups of submissions with 30 % or more in common", "grader similarity submissions/"),
        ("Ignore code that you gave to the students", "grader similarity submissions/ --handout handout/"),
        (
            "Also compare with former years and with solutions from the internet",
            "grader similarity submissions/ --earlier 2024/ --earlier 2025/ --known public/",
        ),
        (
            "Only the 10 closest groups with 60 % or more in common",
            "grader similarity submissions/ --at-least 60 --top 10",
        ),
    ]
)
@argument("path", "A folder or zip of submissions.", type=EXISTING)
@class_option(WHAT_TO_COMPARE)
@option(
    "--handout",
    "handouts",
    group=WHAT_TO_COMPARE,
    multiple=True,
    type=EXISTING,
    help="A folder or file handed out by the course, to be ignored (can be repeated).",
)
@option(
    "--earlier",
    group=WHAT_TO_COMPARE,
    multiple=True,
    type=EXISTING,
    help="The submissions of a former year, a folder or zip: compared with this class, not with each other (can be repeated).",
)
@option(
    "--known",
    group=WHAT_TO_COMPARE,
    multiple=True,
    type=EXISTING,
    help="Public solutions, a folder or zip with a folder or file for each (can be repeated).",
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
    help="Maximum number of groups to list, and of pairs in the files.",
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
@option(
    "--index",
    group=OUTPUT,
    type=FOLDER,
    help="The folder for the index of --earlier and --known (default: the user's cache folder).",
)
@option("--no-index", group=OUTPUT, is_flag=True, help="Neither use nor write an index.")
@lang_option
def similarity(
    *,
    path: Path,
    single: bool | None,
    handouts: tuple[Path, ...],
    earlier: tuple[Path, ...],
    known: tuple[Path, ...],
    at_least: float,
    top: int,
    output: Path,
    index: Path | None,
    no_index: bool,
) -> None:
    """Find submissions in PATH that share code. This shows where to look; it proves nothing."""
    speak = speaker()
    sweep()
    stored = None if no_index else SourceIndex(index or default_index())
    with Scratch() as scratch:
        staging = Path(scratch.folder)
        with DocumentReading(path, staging / "submissions", single=single) as reading:
            handout = [course_document(), *map(handout_document, handout_folders()), *map(handout_document, handouts)]
            references = reference_documents()
            submissions = reading.documents()
        sources = read_sources((*earlier, *known), staging, stored)
    _make_folder(output)
    comparison = compare(
        submissions,
        handout=handout,
        references=references,
        earlier=sources.folders[: len(earlier)],
        known=sources.folders[len(earlier) :],
        at_least=at_least / 100,
        most=top,
    )
    echo_report(report.render(comparison, speak), speak)
    save(str(output / "similarity.html"), html.render(comparison, speak))
    save(str(output / "similarity.json"), render_json(comparison))
    save(str(output / "similarity.csv"), render_csv(comparison, speak))
    echo("\n" + "".join(f"{speak(note)}\n" for note in sources.notes), nl=False)
    echo_report_path(output / "similarity.html", speak)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        hint = say("{problem}; choose another folder with -o", problem=error.strerror or "")
        raise click.FileError(str(folder), hint) from error
