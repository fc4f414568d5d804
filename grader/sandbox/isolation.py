"""Isolation levels of a player's process, and the steps that establish them.

The grader sends an `IsolationOrder`; the worker carries it out step by step before any student's code runs, and reports the
steps it has done. A step that is not reported counts as not done. This module runs in the player's process: it imports little.
"""

import ctypes
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from enum import IntEnum
from functools import cache
from typing import Any

from grader.sandbox import landlock, seccomp

if sys.platform != "win32":
    import resource


class Level(IntEnum):
    """How well a player is isolated."""

    NONE = 0
    """A process that can be killed."""
    BASIC = 1
    """A process with its own limits and no privileges, which dies with the grader."""
    GOOD = 2
    """Also restricted to the files it may use (Landlock) and to few system calls (seccomp)."""
    STRONG = 3
    """Also inside its own namespaces (bubblewrap)."""

    def __str__(self) -> str:
        return self.name.lower()


_ALL_STEPS = ("limits", "death signal", "capabilities", "landlock", "seccomp", "bubblewrap")
STEPS = {Level.NONE: (), Level.BASIC: _ALL_STEPS[:3], Level.GOOD: _ALL_STEPS[:5], Level.STRONG: _ALL_STEPS}
"""The steps that each level requires."""

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_CAPBSET_DROP, _PR_CAP_AMBIENT = 1, 38, 24, 47
_SIGKILL = 9
_CLONE_NEWNS, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC = 0x20000, 2, 4, 8
_CAPABILITY_VERSION = 0x20080522
_LAST_CAPABILITY = 63

IsolationOrder = dict[str, Any]
"""`level`, `limits` (`memory`, `descriptors`, `file_size` in bytes and counts), `core` or None, the paths that the player may
use: `readable`, `listable`, `writable`; the folder for `temporary` files or None; and, inside namespaces, `scratch` (`folder`, `size`, `files`) or None."""


def achieved_level(steps: list[str]) -> Level:
    """The highest level for which all steps were done."""
    return max(level for level, needed in STEPS.items() if set(needed) <= set(steps))


def isolate_process(order: IsolationOrder) -> list[str]:
    """Isolate this process permanently. Returns the steps that were done, without those that the machine cannot do."""
    wanted = STEPS[Level(order["level"])]
    done = []
    if order["core"] is not None and hasattr(os, "sched_setaffinity"):
        with suppress(OSError):  # the core has gone offline: the scheduler will find another
            os.sched_setaffinity(0, {order["core"]})
    if order.get("scratch") is not None:
        with suppress(OSError):  # the grader sees that the step is missing and decides
            _mount_scratch(order["scratch"])
            done.append("scratch")
    for step, carry_out in (
        ("limits", _set_limits),
        ("death signal", lambda _: die_with_parent()),
        ("capabilities", lambda _: drop_capabilities()),
        ("landlock", lambda files: restrict_files(files["readable"], files["listable"], files["writable"])),
        ("seccomp", _restrict_calls),
    ):
        if step in wanted:
            try:
                carry_out(order)
            except (OSError, AttributeError):  # not available; the grader sees that the step is missing and decides
                continue
            done.append(step)
    return done


def _mount_scratch(scratch: dict[str, Any]) -> None:
    """Mount a file system with a limited size and number of files: each file takes kernel memory, even an empty one.

    bubblewrap limits only the size. It grants the capability that this needs, which `drop_capabilities` drops.
    """
    libc = _libc()
    options = f"size={scratch['size']},nr_inodes={scratch['files']},mode=0700".encode("ascii")
    flags = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC
    if libc.unshare(_CLONE_NEWNS) or libc.mount(b"tmpfs", scratch["folder"].encode(), b"tmpfs", flags, options):
        raise OSError(ctypes.get_errno(), "mount")


def _set_limits(order: IsolationOrder) -> None:
    limits = order["limits"]
    for kind, value in (
        (resource.RLIMIT_AS, limits["memory"]),
        (resource.RLIMIT_NOFILE, limits["descriptors"]),
        (resource.RLIMIT_FSIZE, limits["file_size"]),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (most, most))


def die_with_parent() -> None:
    """Have this process killed when the one that started it ends. Raises `OSError`."""
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)
    if os.getppid() == 1 and os.getpid() > 2:  # the grader died before the signal was requested
        os._exit(1)


def drop_capabilities() -> None:
    """Give up all privileges of this process for good. Raises `OSError`."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    with suppress(
        OSError
    ):  # only root may do this, and only root needs to; it fails at the first one that does not exist
        for capability in range(_LAST_CAPABILITY):
            _prctl(_PR_CAPBSET_DROP, capability)
    with suppress(OSError):  # the kernel is older than ambient capabilities
        _prctl(_PR_CAP_AMBIENT, 4)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    if _libc().capset(ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)())):
        raise OSError(ctypes.get_errno(), "capset")


def restrict_files(readable: Sequence[str], listable: Sequence[str], writable: Sequence[str]) -> None:
    """Restrict this process permanently to these files, as `landlock.restrict` does. Raises `OSError`."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(_libc(), readable, listable, writable)


def _restrict_calls(_: IsolationOrder) -> None:
    if not seccomp.is_supported():
        raise OSError("no filter for this machine")
    seccomp.restrict(_libc())


def _prctl(option: int, value: int) -> None:
    if _libc().prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), f"prctl {option}")


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
