"""Processes that bubblewrap has left behind because it was killed in the instant before it let its first process go on.

That process waits for a word that never comes: it has not yet asked to die with its parent. Nothing of a player has run in it.
"""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

from grader.sandbox.file_access import BOOTSTRAP


def kill_orphans() -> int:
    """End those of this user. Returns how many there were."""
    if sys.platform != "linux":
        return 0
    found = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal() and _is_one(entry)]
    for pid in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(found)


def _is_one(process: Path) -> bool:
    """Whether it is a namespace's first process, to start a player, and the one that should release it is gone."""
    try:
        if process.stat().st_uid != os.geteuid() or BOOTSTRAP.encode() not in (process / "cmdline").read_bytes():
            return False
        status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines() if ":\t" in line)
        if status["Name"] != "bwrap" or status["NSpid"].split()[1:] != ["1"]:
            return False
        return Path(f"/proc/{status['PPid']}/comm").read_text() != "bwrap\n"
    except (OSError, KeyError):  # it has just ended, or is another's
        return False
