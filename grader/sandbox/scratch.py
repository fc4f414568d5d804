"""Temporary folders that are removed even if the grader is killed, and cleaning up after a killed grader.

A folder is held by a lock on a file in it. If the lock is free, its grader is dead, and the next `sweep` removes the folder.
"""

import os
import signal
import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from grader.file_removal import PATIENCE, remove_tree
from grader.sandbox.file_access import is_our_command
from grader.sandbox.protocol import SCRATCH

if sys.platform != "win32":
    import fcntl


_LOCK = "lock"
_OURS = (SCRATCH, "pymp-")
"""Prefixes of the names of folders that may be ours; those of `multiprocessing` are if they have a lock."""
_CREATION_TIME = 60.0
"""Seconds after which a folder without a lock is no longer being created."""


class Scratch:
    """A new empty folder, held until `close`."""

    def __init__(self) -> None:
        self._held = tempfile.mkdtemp(prefix=SCRATCH)
        self.folder = os.path.join(self._held, "files")
        os.mkdir(self.folder)
        self._lock = hold(self._held)

    def close(self) -> None:
        """Remove the folder."""
        remove_tree(self._held)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> "Scratch":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def hold(folder: str) -> int | None:
    """Lock a folder, so that `sweep` removes it if this process is killed. Returns the lock's open descriptor."""
    if sys.platform == "win32":
        return None
    new = os.path.join(folder, "new")
    lock = os.open(new, os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.rename(new, os.path.join(folder, _LOCK))  # only now: `sweep` must never find it unlocked
    return lock


def is_held(folder: str) -> bool:
    """Whether a folder is or was held."""
    return os.path.exists(os.path.join(folder, _LOCK))


def sweep() -> int:
    """Remove folders and processes that killed graders left behind. Returns the number of folders."""
    kill_orphans()
    if sys.platform == "win32":
        return 0
    found = [
        folder for name in _OURS for folder in Path(tempfile.gettempdir()).glob(f"{name}*") if _is_abandoned(folder)
    ]
    until = time.monotonic() + PATIENCE
    for folder in found:
        remove_tree(folder, until=until)
    return len(found)


def _is_abandoned(folder: Path) -> bool:
    """Whether a folder is ours, and its grader is dead."""
    if sys.platform == "win32":
        return False
    try:
        status = folder.lstat()
    except OSError:  # just removed
        return False
    if status.st_uid != os.geteuid() or not stat.S_ISDIR(status.st_mode):  # any user may create that name
        return False
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:  # just being created, unless its grader was killed meanwhile
        return folder.name.startswith(SCRATCH) and time.time() - status.st_mtime > _CREATION_TIME
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # its grader is alive, or the file system has no locks
        return False
    finally:
        os.close(lock)
    return True


def kill_orphans() -> None:
    """End processes of this user that a killed bubblewrap left behind.

    If bubblewrap is killed just before it releases its first process, that process waits forever: it is not yet set to die
    with its parent. No player's code has run in it.
    """
    if sys.platform != "linux":
        return
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and _is_orphan(process):
            with suppress(ProcessLookupError):
                os.kill(int(process.name), signal.SIGKILL)


def _is_orphan(process: Path) -> bool:
    """Whether a process is the first of a player's namespace, and the process that should release it is gone."""
    try:
        if process.stat().st_uid != os.geteuid() or not is_our_command((process / "cmdline").read_bytes()):
            return False
        text = (process / "status").read_text(encoding="utf-8", errors="replace")  # a player can give itself any name
        status = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
        if status["Name"] != "bwrap" or status["NSpid"].split()[1:] != ["1"]:
            return False
        return Path(f"/proc/{status['PPid']}/comm").read_bytes() != b"bwrap\n"
    except (OSError, KeyError):  # it has just ended, or belongs to another user
        return False
