"""Run the real command line, and compile the grader before tests."""

import atexit
import compileall
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from tests.warm_commands import WarmCommands

PROJECT = Path(__file__).parent.parent

ENGLISH = {"LANGUAGE": "en"}
"""Tests compare English texts, wherever they run."""


def grader(
    *arguments: str | Path,
    cwd: Path | None = None,
    timeout: float = 120,
    environment: Mapping[str, str] = ENGLISH,
    typed: str = "",
    launcher: Sequence[str] = (),
    cold: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a command with `typed` as its input, through another one if `launcher` is given.

    If `cold`, in a new interpreter, with its own seed of hashes: that is the real thing, and slower.
    """
    if not launcher and not cold and sys.platform == "linux":
        return _run_warm([*map(str, arguments)], cwd, timeout, {**os.environ, **environment}, typed)
    command = [*launcher, sys.executable, "-m", "grader", *map(str, arguments)]
    return subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=cwd,
        timeout=timeout,
        input=typed,
        env={**os.environ, **environment},
    )


def _run_warm(
    arguments: Sequence[str], cwd: Path | None, timeout: float, environment: Mapping[str, str], typed: str
) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        stdin.write(typed.encode())
        stdin.seek(0)
        streams = (stdin.fileno(), stdout.fileno(), stderr.fileno())
        status = warm_commands().run(arguments, cwd, environment, streams, timeout)
        stdout.seek(0)
        stderr.seek(0)
        return subprocess.CompletedProcess(
            ["grader", *arguments], status, stdout.read().decode("utf-8"), stderr.read().decode("utf-8")
        )


@cache
def warm_commands() -> WarmCommands:
    """The server of this test process."""
    commands = WarmCommands()
    atexit.register(commands.close)
    return commands


def compile_all() -> None:
    """Compile the grader, as an installation does; otherwise each command and each player would compile it again.

    A player's process cannot write files, and other processes may be set not to write bytecode.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for package in ("grader", "reference_players"):
        compileall.compile_dir(PROJECT / package, quiet=1)
