"""`grader similarity PATH`."""

from pathlib import Path

import click

from grader.cli.language import lang_option, speaker
from grader.cli.options import EXISTING, FOLDER
from grader.cli.output_files import save
from grader.language import say


@click.command()
@click.argument("path", type=EXISTING)
@click.option(
    "--handout",
    "handouts",
    multiple=True,
    type=EXISTING,
    help="A folder or file that the course handed out: it counts for nothing. Can be given several times.",
)
@click.option(
    "--at-least",
    type=click.FloatRange(1, 100),
    default=30.0,
    show_default=True,
    metavar="PERCENT",
    help="List pairs that share this much of the code of either.",
)
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="List at most so many pairs.")
@click.option(
    "-o",
    "--output",
    type=FOLDER,
    default=Path("similarity"),
    show_default=True,
    help="The folder for the reports.",
)
@lang_option
def similarity(path: Path, handouts: tuple[Path, ...], at_least: float, top: int, output: Path) -> None:
    """Show which submissions in PATH share code: a hint for a person, and never a verdict."""
    from grader.intake.collect import collect
    from grader.kit import handout_folders
    from grader.reports import similarity as report
    from grader.reports.html import similarity as html
    from grader.sandbox.scratch import Scratch, sweep
    from grader.similarity import compare
    from grader.similarity.documents import course_document, handout_document, reference_documents, submission_document

    speak = speaker()
    sweep()
    with Scratch() as scratch:
        submissions = [submission_document(one) for one in collect(path, Path(scratch.folder) / "submissions")]
    _make_folder(output)
    comparison = compare(
        submissions,
        handout=[course_document(), *map(handout_document, handout_folders()), *map(handout_document, handouts)],
        references=reference_documents(),
        at_least=at_least / 100,
        most=top,
    )
    click.echo(report.render(comparison, speak))
    save(str(output / "similarity.html"), html.render(comparison, speak))
    save(str(output / "similarity.json"), report.render_json(comparison))
    save(str(output / "similarity.csv"), report.render_csv(comparison, speak))
    click.echo("\n" + speak.say("Side by side: {file}", file=str(output / "similarity.html")))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.FileError(
            str(folder), hint=say("{reason}; name another folder with -o", reason=error.strerror or "")
        ) from error
