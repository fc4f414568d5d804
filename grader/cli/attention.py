"""Print what needs the instructor's attention: before the table of a run, and before an export writes zeros."""

from collections.abc import Collection

import click

from grader.cli.output import echo, visible
from grader.cli.terminal import echo_wrapped
from grader.competition.attention import find_attention
from grader.competition.grades import RunResult
from grader.language import Language
from grader.reports import attention


def show_attention(result: RunResult, speak: Language) -> None:
    """Print who got 0 or was not understood, why, and what to do. Prints nothing if there is nothing to say."""
    text = attention.render(find_attention(result), len(result), speak)
    if text:
        title, _, rest = text.partition("\n")
        echo(click.style(visible(title), bold=True), coloured=True)
        echo_wrapped(f"{rest}\n")


def show_zeros(result: RunResult, exported: Collection[str], speak: Language) -> None:
    """Print which of the exported grades are 0, and why."""
    zeros = [concern for concern in find_attention(result).zeros if concern.grade.id in exported]
    if text := attention.render_zeros(zeros, speak):
        echo_wrapped(text, err=True)
