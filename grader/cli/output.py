r"""Everything that the commands print passes through this module, which makes unprintable characters visible.

A name, an exception or a file may come from a student and contain sequences that clear the terminal, change its title or
reverse the text. Here each such character becomes an escape such as `\x1b`. Only the colours that the grader adds itself are kept.
"""

import io
import os
import re
import sys
import traceback
import unicodedata
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_PRINTED = "\n\t"
"""The control characters that are printed as they are."""
_COLOUR = re.compile("(\x1b\\[(?:0|1|7|22|27|3[0-79]|9[0-7])m)")
"""The sequences of `click.style` for a colour, bold and reverse, and for their end."""


def visible(text: str) -> str:
    """A text in which characters that control a terminal, reverse the text or cannot be shown are written as escapes."""
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    return "".join(letter if letter in _PRINTED or _is_visible(letter) else _escape(letter) for letter in text)


def _is_visible(letter: str) -> bool:
    return letter.isprintable() or unicodedata.category(letter) == "Zs"  # spaces, e.g. one that does not break


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")


def visible_with_colours(text: str) -> str:
    """The same for a text that the grader has coloured. Names in it must have been made visible before that."""
    parts = _COLOUR.split(text)
    return "".join(part if at % 2 else visible(part) for at, part in enumerate(parts))


def echo(text: str = "", *, err: bool = False, nl: bool = True, coloured: bool = False) -> None:
    """Print a text, to standard error with `err`. With `coloured`, the colours in it are kept."""
    click.echo(visible_with_colours(text) if coloured else visible(text), err=err, nl=nl)


def echo_with_link(text: str, shown: str, file: Path) -> None:
    """Print a text. If it is printed to a terminal, the path of a file that it ends with, `shown`, can be clicked."""
    before, found, after = visible(text).rpartition(visible(shown))
    if found and _has_links():
        # Everything except these two sequences has been made visible, and an address has only printable characters.
        click.echo(f"{before}\x1b]8;;{file.resolve().as_uri()}\x1b\\{found}\x1b]8;;\x1b\\{after}")
    else:
        echo(text)


def _has_links() -> bool:
    """Whether the output is a terminal that shows links. Others ignore them, except very old ones."""
    is_old = os.environ.get("TERM") in ("dumb", "linux") or (sys.platform == "win32" and "WT_SESSION" not in os.environ)
    return sys.stdout.isatty() and not is_old


def read_line(prompt: str) -> str:
    """Ask for a line of standard input. Raises `EOFError` at its end."""
    return input(visible(prompt))


def ask(question: str) -> str:
    """Ask a question on standard error; Enter is an empty answer."""
    answer: str = click.prompt(visible(question), default="", show_default=False, err=True)
    return answer


def make_console(*, stderr: bool = False) -> "Console":
    """A console for pages and progress. What it shows is made by `screen_text`."""
    from rich.console import Console  # here: `grader --help` does not need it

    return Console(highlight=False, stderr=stderr)


def screen_text(text: str, *, coloured: bool = False) -> "Text":
    """A text for a console."""
    from rich.text import Text

    return Text.from_ansi(visible_with_colours(text)) if coloured else Text(visible(text))


def show_usage_error(error: click.ClickException) -> None:
    """Print an error of the command line."""
    message = io.StringIO()
    error.show(message)
    echo(message.getvalue(), err=True, nl=False)


def print_traceback(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an error of the grader itself: the `sys.excepthook` of every command."""
    echo("".join(traceback.format_exception(kind, error, trace)), err=True, nl=False)
