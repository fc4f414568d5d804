"""What a player is allowed: time, memory, descriptors, output, and how well it must be walled in."""

import math
from dataclasses import dataclass, field
from enum import Enum

from grader.errors import OptionError
from grader.language import say
from grader.sandbox.isolation import Level

STOPPING = 1.0
"""Seconds beyond its time that a player may take to stop when it is told to. Longer calls into C cannot be cut short."""


class Overrun(str, Enum):
    """What becomes of a player that overruns its time for a move."""

    FORFEIT = "forfeit"
    """It loses the game."""
    DISQUALIFY = "disqualify"
    """It loses the game, and its submission everything."""
    RANDOM_MOVE = "random-move"
    """A random move is made for it, and it plays on: in a new process, if nothing else could stop it."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimits:
    """In seconds, as the clock charges them."""

    move: float = 9.0
    bank: float | None = None
    """For all moves of a game, in place of a limit for each."""
    increment: float = 0.0
    """Added to the bank after each move."""
    load: float = 30.0
    grace: float = 0.25
    """What a move may overrun, for the jitter of the machine."""
    overrun: Overrun = Overrun.FORFEIT

    def __post_init__(self) -> None:
        for name, seconds in (("move", self.move), ("load", self.load), ("bank", self.bank)):
            if seconds is not None and not 0 < seconds < math.inf:  # which a NaN is not either
                raise OptionError(
                    say("the time for {name} is a number of seconds above 0, not {seconds}", name=name, seconds=seconds)
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """All that a player is allowed. Processes and files are not granted."""

    time: TimeLimits = field(default_factory=TimeLimits)
    memory_mb: int = 1024
    descriptors: int = 64
    output_kb: int = 64
    """How much of what it prints is kept; the rest is dropped."""
    scratch_mb: int = 0
    """How large a file it may write into a folder of its own that lives as long as its process; 0 for no such folder."""
    isolation: Level | None = None
    """The level to run at; None for the best that this machine offers."""
    required: Level = Level.NONE
    """The level below which nothing is played."""
    core: int | None = None
    """The core to run on; None for any."""
    until: float | None = None
    """When to wait no longer, by `time.monotonic`; a run waits for as long as players may take."""
