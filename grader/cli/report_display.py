"""Print reports: their tables fit the terminal, and have colours and links where there is one."""

import shutil
import sys
from pathlib import Path

import click

from grader.cli.output import echo, echo_with_link, visible
from grader.cli.terminal import echo_wrapped, in_colour
from grader.competition.assignments import relative_path
from grader.language import Language
from grader.reports.table import Report, Table, Tone, lay_out, plain_text


def echo_report(report: Report, speak: Language) -> None:
    """Print texts and tables, with an empty line between them."""
    if not sys.stdout.isatty():
        echo(plain_text(report))
        return
    width = shutil.get_terminal_size().columns
    paint = _paint if in_colour() else lambda text, _: text
    for at, block in enumerate(report):
        if at:
            echo()
        if isinstance(block, Table):
            # Each text in a table is made visible before colours are added, so that only these are printed.
            echo(lay_out(block, width, speak, clean=_clean, paint=paint), coloured=True)
        else:
            echo_wrapped(block)


def echo_report_path(file: Path, speak: Language) -> None:
    """Print where a report is, as the last line of a command."""
    shown = relative_path(file)
    echo_with_link(speak.say("Report: {file}", file=shown), shown, file)


def _clean(text: str) -> str:
    return visible(text).replace("\t", " ")


def _paint(text: str, tone: Tone) -> str:
    if tone is Tone.PLAIN:
        return text
    return click.style(text, bold=True) if tone is Tone.HEAD else click.style(text, fg=tone.value)
