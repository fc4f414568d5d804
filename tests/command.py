"""Run the real command line."""

import subprocess
import sys
from pathlib import Path


def grader(*arguments: str | Path, cwd: Path | None = None, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """What a person would see who typed this."""
    command = [sys.executable, "-m", "grader", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=cwd, timeout=timeout, stdin=subprocess.DEVNULL
    )
