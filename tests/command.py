"""Run the real command line."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

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
