"""Run the real command line, and compile the grader before tests."""

import compileall
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

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
) -> subprocess.CompletedProcess[str]:
    """Run a command with `typed` as its input, through another one if `launcher` is given."""
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


def compile_all() -> None:
    """Compile the grader, as an installation does; otherwise each command and each player would compile it again.

    A player's process cannot write files, and other processes may be set not to write bytecode.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for package in ("grader", "reference_players"):
        compileall.compile_dir(PROJECT / package, quiet=1)
