"""Run the real command line."""

import compileall
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

PROJECT = Path(__file__).parent.parent

ENGLISH = {"LANGUAGE": "en"}
"""What these tests compare is English, wherever they run."""


def grader(
    *arguments: str | Path,
    cwd: Path | None = None,
    timeout: float = 120,
    environment: Mapping[str, str] = ENGLISH,
) -> subprocess.CompletedProcess[str]:
    """What a person would see who typed this."""
    command = [sys.executable, "-m", "grader", *map(str, arguments)]
    return subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=cwd,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )


def compile_all() -> None:
    """Compile the grader, as an installation does; else each command and each player would do it again.

    A player's process may write nothing, and others only if nobody has told Python not to.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for package in ("grader", "reference_players"):
        compileall.compile_dir(PROJECT / package, quiet=1)
