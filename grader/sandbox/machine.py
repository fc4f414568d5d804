"""What this machine offers to wall players in, found out by trying it."""

import os
import shutil
import sys
from dataclasses import dataclass
from functools import cache

from grader.errors import GraderFault
from grader.sandbox.isolation import Level
from grader.sandbox.launch import Launched
from grader.sandbox.limits import Limits


@dataclass(frozen=True, slots=True)
class Offer:
    """Whether one level is to be had here, and if not, why."""

    level: Level
    available: bool
    reason: str


@cache
def offers() -> tuple[Offer, ...]:
    """Every level, tried with a real process."""
    return tuple(_tried(level) for level in Level)


@cache
def best_level() -> Level:
    """The highest level that this machine offers."""
    for level in reversed(Level):
        if _tried(level).available:
            return level
    return Level.NONE


@cache
def _tried(level: Level) -> Offer:
    if level is Level.NONE:
        return Offer(level, True, "")
    if sys.platform != "linux":
        return Offer(level, False, f"it needs Linux, and this is {sys.platform}")
    if level is Level.STRONG and not shutil.which("bwrap"):
        return Offer(level, False, "bubblewrap is not installed: install the package `bubblewrap`")
    try:
        launched = Launched(level, Limits(), ())
    except GraderFault as fault:
        return Offer(level, False, str(fault))
    launched.close()
    if launched.level < level:
        return Offer(level, False, _missing(level))
    return Offer(level, True, "")


def _missing(level: Level) -> str:
    if level is Level.GOOD:
        return f"it needs a kernel with Landlock (5.13 or newer, switched on) and seccomp; this one is {os.uname().release}"
    return "the level below it is not to be had"
