"""End processes that bubblewrap left behind because it was killed just before it released its first process.

That process waits forever, and is not yet set to die with its parent. No player's code has run in it.
"""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

from grader.sandbox.file_access import BOOTSTRAP


def kill_orphans() -> None:
    """End such processes of this user."""
    if sys.platform != "linux":
        return
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and _is_orphan(process):
            with suppress(ProcessLookupError):
                os.kill(int(process.name), signal.SIGKILL)


def _is_orphan(process: Path) -> bool:
    """Whether it is the first process of a player's namespace, and the one that should release it is gone."""
    try:
        if process.stat().st_uid != os.geteuid() or BOOTSTRAP.encode() not in (process / "cmdline").read_bytes():
            return False
        status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines() if ":\t" in line)
        if status["Name"] != "bwrap" or status["NSpid"].split()[1:] != ["1"]:
            return False
        return Path(f"/proc/{status['PPid']}/comm").read_text() != "bwrap\n"
    except (OSError, KeyError):  # it has just ended, or belongs to another user
        return False
