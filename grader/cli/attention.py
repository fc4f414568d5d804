"""Print what needs the instructor's attention: before the table of a run, and before an export writes zeros."""

import shutil
import sys
import textwrap
from collections.abc import Collection
from typing import TextIO

import click

from grader.cli.output import echo, visible
from grader.competition.attention import find_attention
from grader.competition.grades import RunResult
from grader.language import Language
from grader.reports import attention

_NARROWEST = 40
_KEPT = ("overrides:", '"')
"""The beginnings of lines to copy into a file, which are never wrapped."""


def show_attention(result: RunResult, speak: Language) -> None:
    """Print who got 0 or was not understood, why, and what to do. Prints nothing if there is nothing to say."""
    text = attention.render(find_attention(result), len(result), speak)
    if text:
        title, _, rest = _wrapped(visible(text), sys.stdout).partition("\n")
        echo(click.style(title, bold=True) + f"\n{rest}\n", coloured=True)


def show_zeros(result: RunResult, exported: Collection[str], speak: Language) -> None:
    """Print which of the exported grades are 0, and why."""
    zeros = [concern for concern in find_attention(result).zeros if concern.grade.id in exported]
    if text := attention.render_zeros(zeros, speak):
        echo(_wrapped(visible(text), sys.stderr), err=True)


def _wrapped(text: str, stream: TextIO) -> str:
    """A text with long lines wrapped between words, and indented after the first line, if the output is a terminal."""
    if not stream.isatty():
        return text
    width = max(_NARROWEST, shutil.get_terminal_size().columns)
    return "\n".join(_wrap(line, width) for line in text.split("\n"))


def _wrap(line: str, width: int) -> str:
    content = line.lstrip()
    if len(line) <= width or content.startswith(_KEPT):
        return line
    indent = " " * (len(line) - len(content) + 2)
    return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
