"""Remove folders that hostile code may have filled: very deep ones, with names too long for a path, or without permissions."""

import os
import secrets
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path

PATIENCE = 60.0
"""Seconds after which the rest of a folder stays: a process may be filling it as fast as it is emptied."""


def remove_tree(folder: str | os.PathLike[str], *, until: float | None = None) -> None:
    """Remove a folder with everything in it. Never raises: what cannot be removed stays.

    Subfolders are moved up to the top one by one instead of being descended into, so no depth is too great. Returns after
    `PATIENCE` at the latest, or at the time `until` by `time.monotonic`.
    """
    if sys.platform == "win32":
        with suppress(OSError, RecursionError):
            shutil.rmtree(folder)
        return
    with suppress(OSError):
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            _empty(top, time.monotonic() + PATIENCE if until is None else until)
        finally:
            os.close(top)
        Path(folder).rmdir()


def _empty(top: int, until: float) -> None:
    while names := [name for name in os.listdir(top) if not _unlink(name, top)]:
        if not sum(_lift_contents(name, top) for name in names) or time.monotonic() > until:
            return  # nothing that is left can be removed, or it never ends


def _lift_contents(name: str, top: int) -> bool:
    """Remove a folder in the top folder after moving its subfolders up. Whether that worked."""
    try:
        os.chmod(name, 0o700, dir_fd=top)  # not a link: those have been unlinked
        folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
    except OSError:
        return False
    try:
        for entry in os.listdir(folder):  # noqa: PTH208  a descriptor
            if not _unlink(entry, folder):
                with suppress(OSError):
                    os.chmod(entry, 0o700, dir_fd=folder)  # a folder without permissions cannot be moved either
                    os.rename(entry, secrets.token_hex(8), src_dir_fd=folder, dst_dir_fd=top)
        os.rmdir(name, dir_fd=top)
    except OSError:
        return False
    finally:
        os.close(folder)
    return True


def _unlink(name: str, folder: int) -> bool:
    """Remove a file. False if it is a folder, or cannot be removed."""
    try:
        os.unlink(name, dir_fd=folder)
    except OSError:
        return False
    return True
