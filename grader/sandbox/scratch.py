"""Folders that a player may write into, gone with it even if the grader is killed.

A folder is held by a lock on a file beside it. Whoever finds one whose lock is free may take it away: its grader is dead.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from types import TracebackType

from grader.sandbox import orphans
from grader.sandbox.wire import SCRATCH

if sys.platform != "win32":
    import fcntl


class Scratch:
    """A new empty folder, held until `close`."""

    def __init__(self) -> None:
        self._held = tempfile.mkdtemp(prefix=SCRATCH)
        self.folder = os.path.join(self._held, "files")
        os.mkdir(self.folder)
        self._lock: int | None = None
        if sys.platform != "win32":
            new = os.path.join(self._held, "new")
            self._lock = os.open(new, os.O_CREAT | os.O_RDWR, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            os.rename(new, os.path.join(self._held, "lock"))  # only now: a sweeper must never find it free

    def close(self) -> None:
        """Take the folder away."""
        shutil.rmtree(self._held, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> "Scratch":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def sweep() -> int:
    """Take away what killed graders have left, processes too. Returns how many folders that were."""
    orphans.end()
    swept = 0
    if sys.platform == "win32":
        return swept
    for folder in Path(tempfile.gettempdir()).glob(SCRATCH + "*"):
        try:
            if folder.lstat().st_uid != os.geteuid():  # anybody may make a folder of that name
                continue
            lock = os.open(folder / "lock", os.O_RDWR | os.O_NOFOLLOW)
        except OSError:  # not ours, or just being made
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
            swept += 1
        except BlockingIOError:
            pass  # its grader lives
        finally:
            os.close(lock)
    return swept
