"""A terminal that is drawn over again and again, and given back as it was."""

import os
import re
import select
import shutil
import signal
import socket
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from grader.reports.check import ASCII_SIGNS, SIGNS

_NARROWEST = 20
CLOCK_RATE = 5
"""How often in a second a picture that changes by itself is drawn."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a terminal shows: a text as far as there is room, and below it what is always shown."""

    body: str
    foot: str


_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|[\x00\xe0].|.", re.DOTALL)
"""One key in what a terminal sends: a letter, or what an arrow sends; in Windows that is two letters."""


def at_terminal() -> bool:
    """Whether there is a person to see what is drawn and press keys, and a terminal that can draw."""
    streams = (sys.stdin, sys.stdout)
    return all(stream and stream.isatty() for stream in streams) and not _console().is_dumb_terminal


def in_colour() -> bool:
    """Whether what is printed may be coloured: at a terminal, and nobody has said NO_COLOR."""
    console = _console()
    return console.is_terminal and not console.no_color and console.color_system is not None


def echo_wrapped(text: str) -> None:
    """Print a text. Long lines are broken between words where a terminal would break them anywhere."""
    if sys.stdout.isatty():
        width = max(_NARROWEST, shutil.get_terminal_size().columns)
        text = "\n".join(_wrap(line, width) for line in text.split("\n"))
    click.echo(text)


def _wrap(line: str, width: int) -> str:
    """What follows stands below the line's first word, or below its second if the first is a sign, which may be coloured."""
    plain, sign = click.unstyle(line), line.partition(" ")[0]
    if len(plain) <= width:
        return line
    start = len(plain) - len(plain.lstrip())
    first = plain[start:].partition(" ")[0]
    hanging = " " * (start + len(first) + 1 if first in (*SIGNS.values(), *ASCII_SIGNS.values()) else start)
    filled = textwrap.fill(plain, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
    return sign + filled[len(click.unstyle(sign)) :]


class Screen:
    """Pages in place of all that was on the terminal, and the keys that are pressed before them."""

    def __init__(self, console: Console, live: Live, resized: socket.socket) -> None:
        self._console = console
        self._live = live
        self._resized = resized
        self._page = Page("", "")

    def show(self, page: Page) -> None:
        """Draw this page in place of the one before."""
        self._page = page
        self._live.update(_fit(self._console, page), refresh=True)

    def read_keys(self) -> list[str]:
        """Wait for a key. Several, if they came at once; none if there is nobody any more.

        Meanwhile the page is drawn again whenever the terminal gets another size.
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
    """Show one page after the other in place of all that was on the terminal, until it is over."""
    console = _console()
    with _unbuffered_keys(), _resizes() as resized, Live(console=console, screen=True, auto_refresh=False) as live:
        yield Screen(console, live, resized)


@contextmanager
def live_page(page: Callable[[], Page]) -> Iterator[None]:
    """Show a page that is asked for again several times a second, while the context lasts."""
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
        live.refresh()  # else the first page would come with the first tick, when all may be over
        yield


@contextmanager
def _resizes() -> Iterator[socket.socket]:
    """Something to be read from whenever the terminal got another size, however long ago that was. Never in Windows."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        if sys.platform == "win32":
            yield ours
            return
        theirs.setblocking(False)  # as a signal must not wait
        before = signal.signal(signal.SIGWINCH, lambda *_: None)  # without a function, Python would not tell of it
        previous = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        try:
            yield ours
        finally:
            signal.set_wakeup_fd(previous)
            signal.signal(signal.SIGWINCH, before)


@contextmanager
def _unbuffered_keys() -> Iterator[None]:
    """Let keys be read as they are pressed, and not be shown. In Windows `click.getchar` sees to that.

    For as long as anything is shown: `click.getchar` would lose what is typed between two calls.
    """
    if sys.platform == "win32":
        yield
        return
    import termios
    import tty

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard, termios.TCSANOW)
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSAFLUSH, before)


def _fit(console: Console, page: Page) -> Text:
    """A page in the lines that the terminal has. What has no room at the bottom of the body is left out."""
    body, foot = (_lines(console, text) for text in (page.body, page.foot))
    room = max(console.height - len(foot), 1)
    if len(body) > room:
        body = [*body[: room - 1], Text("…")]
    return Text("\n", end="").join([*body, *foot])


def _lines(console: Console, text: str) -> list[Text]:
    """Sentences broken between words, and lines of a board, which begin with a space, cut where the terminal ends."""
    lines: list[Text] = []
    for line in text.split("\n"):
        shown = Text.from_ansi(line)
        if line.startswith(" "):
            shown.truncate(console.width, overflow="ellipsis")
            lines.append(shown)
        else:
            lines.extend(shown.wrap(console, console.width))
    return lines


def _console() -> Console:
    return Console(highlight=False)
