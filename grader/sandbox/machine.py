"""The isolation levels that this machine offers, determined by trying them, and a summary of its hardware."""

import os
import platform
import shutil
import sys
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader import __version__
from grader.errors import GraderFault
from grader.language import say
from grader.sandbox.isolation import Level
from grader.sandbox.launch import SandboxProcess
from grader.sandbox.limits import Limits
from grader.sandbox.templates import Template, TemplateKind

TRIES = 3


@dataclass(frozen=True, slots=True)
class LevelOffer:
    """Whether an isolation level is available on this machine, and if not, why."""

    level: Level
    available: bool
    reason: str


@cache
def level_offers() -> tuple[LevelOffer, ...]:
    """All levels, each tried with a real process."""
    return tuple(_try_level(level) for level in Level)


@cache
def best_level() -> Level:
    """The highest level that this machine offers."""
    for level in reversed(Level):
        if _try_level(level).available:
            return level
    return Level.NONE


@cache
def machine_summary() -> str:
    """The versions of the grader and Python and the hardware on which a match is played."""
    return f"grader {__version__}, Python {platform.python_version()}, {hardware()}"


@cache
def hardware() -> str:
    """The system, its cores and its processor."""
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return ", ".join(part for part in (system, f"{os.cpu_count()} × {_processor()}".removesuffix(" × ")) if part)


def _processor() -> str:
    """The processor's name, if the system reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


@cache
def _try_level(level: Level) -> LevelOffer:
    if level is Level.NONE:
        return LevelOffer(level, True, "")
    if sys.platform != "linux":
        return LevelOffer(level, False, say("it requires Linux, but this is {system}", system=sys.platform))
    if level is Level.STRONG and not shutil.which("bwrap"):
        return LevelOffer(level, False, say("bubblewrap is not installed: install the package `bubblewrap`"))
    why = ""
    for _ in range(TRIES):  # a level may be available although the process that tried it was killed
        try:
            reached = reached_level(level)
        except GraderFault as fault:
            why = fault.text
            continue
        return LevelOffer(level, True, "") if reached >= level else LevelOffer(level, False, _missing_feature(level))
    return LevelOffer(level, False, why)


def reached_level(level: Level) -> Level:
    """Start a process at a level. Returns the level that it reached."""
    with ExitStack() as opened:
        template = opened.enter_context(closing(Template(TemplateKind(level=level)))) if level >= Level.GOOD else None
        return opened.enter_context(closing(SandboxProcess(level, Limits(), (), template))).level


def _missing_feature(level: Level) -> str:
    if level is Level.GOOD:
        return say(
            "it requires Linux 5.13 or newer with Landlock and seccomp enabled; this kernel is {release}",
            release=os.uname().release,
        )
    return say("the level below it is not available")
