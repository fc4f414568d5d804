"""The real command line at a terminal of its own, as a person sits at it."""

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

_PATIENCE = 60.0
"""Seconds after which what is waited for will not come any more."""
_INSISTENCE = 60
_BEGIN = (
    "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.executable, [sys.executable, '-m', 'grader', *sys.argv[1:]])"
)
_STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")


class Terminal:
    """Starts `grader` with these arguments. Use it as a context manager."""

    def __init__(self, *arguments: str | Path, cwd: Path, columns: int = 80, lines: int = 24, **variables: str) -> None:
        self.raw = ""
        """All that was ever shown, as it was sent."""
        self._seen = 0
        self._ours, self._theirs = pty.openpty()
        self.resize(columns, lines)
        self._modes = termios.tcgetattr(self._theirs)
        unwanted = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
        environment = {name: value for name, value in os.environ.items() if name not in unwanted}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BEGIN, *map(str, arguments)],
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
        """Wait for a text after what was waited for before, and give what is shown from there to it."""
        deadline = time.monotonic() + _PATIENCE
        while (found := (shown := _STEERING.sub("", self.raw)).find(text, self._seen)) < 0:
            assert time.monotonic() < deadline, f"{text!r} was never shown; this was:\n{shown[self._seen :]}"
            self._read()
        start, self._seen = self._seen, found + len(text)
        return shown[start : self._seen]

    def interrupt(self, text: str) -> None:
        """Type Ctrl-C, again after a while if it was lost: Python's readline misses one between its prompt and its waiting."""
        for _ in range(_INSISTENCE):
            self.press("\x03")
            asked = time.monotonic()
            while time.monotonic() < asked + _PATIENCE / _INSISTENCE:
                if text in _STEERING.sub("", self.raw)[self._seen :]:
                    self.until(text)
                    return
                self._read()
        raise AssertionError(f"{text!r} was never shown; this was:\n{self.raw}")

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._ours, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        """Give it another size."""
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def status(self) -> int:
        """Wait for the end."""
        deadline = time.monotonic() + _PATIENCE
        while self._process.poll() is None:
            assert time.monotonic() < deadline, f"it never ended; this was shown:\n{self.raw}"
            self._read()
        self._read()
        return self._process.returncode

    def is_as_it_was(self) -> bool:
        """Whether the terminal shows its cursor and its old content, and works as before."""
        modes: Any = termios.tcgetattr(self._theirs)
        left = self.raw.count("\x1b[?1049h") == self.raw.count("\x1b[?1049l")
        cursor = self.raw.rfind("\x1b[?25h") >= self.raw.rfind("\x1b[?25l")
        return bool(modes == self._modes and left and cursor)

    def _read(self) -> None:
        ready, _, _ = select.select([self._ours], [], [], 0.1)
        if ready:
            self.raw += os.read(self._ours, 65536).decode("utf-8", "replace")
