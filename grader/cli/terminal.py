"""Draw pages on the terminal that replace each other, read keys, and restore the terminal afterwards."""

import os
import re
import select
import shutil
import signal
import socket
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from grader.cli.output import echo, make_console, screen_text, visible
from grader.reports.check import ASCII_SIGNS, SIGNS

_NARROWEST = 20
CLOCK_RATE = 5
"""How many times per second a page with a clock is drawn."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page: the body is cut if there is not enough room; the foot below it is always shown."""

    body: str
    foot: str


_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|[\x00\xe0].|.", re.DOTALL)
"""One key in the terminal's input: a character, or the sequence of a key such as an arrow (two characters on Windows)."""


def at_terminal() -> bool:
    """Whether input and output are a terminal that can redraw a page."""
    streams = (sys.stdin, sys.stdout)
    return all(stream and stream.isatty() for stream in streams) and not _console().is_dumb_terminal


def in_colour() -> bool:
    """Whether output may be coloured: it is a terminal, and NO_COLOR is not set."""
    console = _console()
    return console.is_terminal and not console.no_color and console.color_system is not None


def echo_wrapped(text: str, colours: Mapping[str, str] = MappingProxyType({}), *, err: bool = False) -> None:
    """Print a text, with long lines wrapped between words if the output is a terminal.

    `colours` has the colours of signs, which are applied at the beginning of lines.
    """
    lines = visible(text).split("\n")
    if (sys.stderr if err else sys.stdout).isatty():
        width = max(_NARROWEST, shutil.get_terminal_size().columns)
        lines = [_wrap(line, width) for line in lines]
    echo("\n".join(_colour_sign(line, colours) for line in lines), coloured=bool(colours), err=err)


def _wrap(line: str, width: int) -> str:
    """Wrap a line with a hanging indent: below its first word, or below its second if the first is a sign."""
    if len(line) <= width:
        return line
    start = len(line) - len(line.lstrip())
    first = line[start:].partition(" ")[0]
    hanging = " " * (start + len(first) + 1 if first in (*SIGNS.values(), *ASCII_SIGNS.values()) else start)
    return textwrap.fill(line, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)


def _colour_sign(line: str, colours: Mapping[str, str]) -> str:
    sign, space, rest = line.partition(" ")
    return click.style(sign, fg=colours[sign], bold=True) + space + rest if sign in colours else line


class Screen:
    """Shows pages on the whole terminal and reads keys."""

    def __init__(self, console: Console, live: Live, resized: socket.socket) -> None:
        self._console = console
        self._live = live
        self._resized = resized
        self._page = Page("", "")

    def show(self, page: Page) -> None:
        """Replace the current page by this one."""
        self._page = page
        self._live.update(_fit(self._console, page), refresh=True)

    def read_keys(self) -> list[str]:
        """Wait for keys. Returns several if they came at once, and none if the input has ended.

        Meanwhile the page is redrawn whenever the size of the terminal changes.
        """
        if sys.platform == "win32":
            return _KEY.findall(click.getchar())
        keyboard = sys.stdin.fileno()
        while True:
            ready, _, _ = select.select([keyboard, self._resized], [], [])
            if self._resized in ready:
                self._resized.recv(1024)
                self.show(self._page)
            if keyboard in ready:
                return _KEY.findall(os.read(keyboard, 1024).decode("utf-8", "replace"))


@contextmanager
def pages() -> Iterator[Screen]:
    """Use the whole terminal for pages, and restore it at the end."""
    console = _console()
    with _unbuffered_keys(), _resizes() as resized, Live(console=console, screen=True, auto_refresh=False) as live:
        yield Screen(console, live, resized)


@contextmanager
def live_page(page: Callable[[], Page]) -> Iterator[None]:
    """Show a page that is computed and drawn again several times a second, until the context ends."""
    console = _console()
    with (
        _unbuffered_keys(),
        Live(
            console=console,
            screen=True,
            refresh_per_second=CLOCK_RATE,
            get_renderable=lambda: _fit(console, page()),
        ) as live,
    ):
        live.refresh()  # otherwise the first page would only come with the first tick, perhaps after the end
        yield


@contextmanager
def _resizes() -> Iterator[socket.socket]:
    """A socket that becomes readable when the size of the terminal has changed. Never on Windows."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        if sys.platform == "win32":
            yield ours
            return
        theirs.setblocking(False)  # a signal handler must not wait
        before = signal.signal(signal.SIGWINCH, lambda *_: None)  # without a handler, Python ignores the signal
        previous = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        try:
            yield ours
        finally:
            signal.set_wakeup_fd(previous)
            signal.signal(signal.SIGWINCH, before)


@contextmanager
def _unbuffered_keys() -> Iterator[None]:
    """Read keys as they are pressed, without echo. On Windows `click.getchar` does that.

    This lasts as long as pages are shown: `click.getchar` would lose what is typed between two calls.
    """
    if sys.platform == "win32":
        yield
        return
    import termios  # here: Windows does not have it
    import tty

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard, termios.TCSANOW)
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSAFLUSH, before)


def _fit(console: Console, page: Page) -> Text:
    """A page in the lines of the terminal. The end of the body is cut if there is not enough room."""
    body, foot = (_lines(console, text) for text in (page.body, page.foot))
    room = max(console.height - len(foot), 1)
    if len(body) > room:
        body = [*body[: room - 1], screen_text("…")]
    return Text("\n", end="").join([*body, *foot])


def _lines(console: Console, text: str) -> list[Text]:
    """The lines of a text: sentences are wrapped, and lines of a board, which begin with a space, are cut."""
    lines: list[Text] = []
    for line in text.split("\n"):
        shown = screen_text(line, coloured=True)
        if line.startswith(" "):
            shown.truncate(console.width, overflow="ellipsis")
            lines.append(shown)
        else:
            lines.extend(shown.wrap(console, console.width))
    return lines


def _console() -> Console:
    return make_console()
