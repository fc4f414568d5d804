"""Run the real command line at a pseudo-terminal."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

_TIMEOUT = 60.0
"""Seconds to wait for a text before giving up."""
_ATTEMPTS = 60
"""How often Ctrl-C is pressed before giving up."""
_START = (
    "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.executable, [sys.executable, '-m', 'grader', *sys.argv[1:]])"
)
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")


class Terminal:
    """Starts `grader` with these arguments. Use it as a context manager."""

    def __init__(self, *arguments: str | Path, cwd: Path, columns: int = 80, lines: int = 24, **variables: str) -> None:
        self.raw = ""
        """The whole output so far, with control sequences."""
        self._seen = 0
        self._ours, self._theirs = pty.openpty()
        self.resize(columns, lines)
        self._modes = termios.tcgetattr(self._theirs)
        unwanted = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
        environment = {name: value for name, value in os.environ.items() if name not in unwanted}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, *map(str, arguments)],
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=self._theirs,
            cwd=cwd,
            env={**environment, "TERM": "xterm-256color", **variables},
        )

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)
        os.close(self._theirs)

    def until(self, text: str) -> str:
        """Wait for a text after the last one that was waited for, and return the output between them."""
        deadline = time.monotonic() + _TIMEOUT
        while (found := (shown := _CONTROL.sub("", self.raw)).find(text, self._seen)) < 0:
            assert time.monotonic() < deadline, f"{text!r} was never shown; this was:\n{shown[self._seen :]}"
            self._read()
        start, self._seen = self._seen, found + len(text)
        return shown[start : self._seen]

    def interrupt(self, text: str) -> None:
        """Press Ctrl-C until a text appears: Python's readline misses it between the prompt and the wait for input."""
        for _ in range(_ATTEMPTS):
            self.press("\x03")
            asked = time.monotonic()
            while time.monotonic() < asked + _TIMEOUT / _ATTEMPTS:
                if text in _CONTROL.sub("", self.raw)[self._seen :]:
                    self.until(text)
                    return
                self._read()
        raise AssertionError(f"{text!r} was never shown; this was:\n{self.raw}")

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._ours, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        """Change the size of the terminal."""
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def status(self) -> int:
        """Wait for the end, and return the exit status."""
        deadline = time.monotonic() + _TIMEOUT
        while self._process.poll() is None:
            assert time.monotonic() < deadline, f"it never ended; this was shown:\n{self.raw}"
            self._read()
        self._read()
        return self._process.returncode

    def is_restored(self) -> bool:
        """Whether cursor, content and mode of the terminal have been restored."""
        modes: Any = termios.tcgetattr(self._theirs)
        left = self.raw.count("\x1b[?1049h") == self.raw.count("\x1b[?1049l")
        cursor = self.raw.rfind("\x1b[?25h") >= self.raw.rfind("\x1b[?25l")
        return bool(modes == self._modes and left and cursor)

    def _read(self) -> None:
        ready, _, _ = select.select([self._ours], [], [], 0.1)
        if ready:
            self.raw += os.read(self._ours, 65536).decode("utf-8", "replace")
