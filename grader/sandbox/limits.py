"""A player's limits: time, memory, descriptors, output, and the isolation level."""

import math
from dataclasses import dataclass, field, replace

from grader.errors import OptionError
from grader.language import say
from grader.records import Overrun
from grader.sandbox.isolation import Level

STOPPING = 1.0
"""Seconds beyond its limit within which a player has to stop when ordered to. A longer call into C cannot be interrupted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimits:
    """Time limits in seconds, as the clock charges them."""

    move: float = 9.0
    bank: float | None = None
    """For all moves of a game, instead of a limit per move."""
    increment: float = 0.0
    """Added to the bank after each move."""
    load: float = 30.0
    grace: float = 0.25
    """How far a move may exceed its limit, to allow for jitter of the machine."""
    overrun: Overrun = "forfeit"
    reference_speed: float | None = None
    """The speed of the machine for which these limits hold: elsewhere they are scaled, so that a player can do the same amount
    of work. None if they are the same everywhere."""

    def __post_init__(self) -> None:
        for name, seconds in (("move", self.move), ("load", self.load), ("bank", self.bank)):
            if seconds is not None and not 0 < seconds < math.inf:  # this is also true for NaN
                raise OptionError(
                    say(
                        "the {name} time must be a number of seconds greater than 0, not {seconds}",
                        name=name,
                        seconds=seconds,
                    )
                )

    def scale(self, speed: float | None) -> float:
        """The factor by which these limits are multiplied on a machine of a speed, if it is known."""
        if self.reference_speed is None or speed is None:
            return 1.0
        return float(
            f"{self.reference_speed / speed:.3g}"
        )  # as precise as the speed, so that a record has the exact factor

    def at_speed(self, speed: float | None) -> "TimeLimits":
        """The limits in force on a machine of a speed. The grace stays the same: jitter does not depend on it."""
        scale = self.scale(speed)
        if scale == 1.0:
            return self
        return replace(
            self,
            move=self.move * scale,
            bank=None if self.bank is None else self.bank * scale,
            increment=self.increment * scale,
            load=self.load * scale,
            reference_speed=None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """All limits of a player. Starting processes and writing files are not allowed at all."""

    time: TimeLimits = field(default_factory=TimeLimits)
    memory_mb: int = 1024
    descriptors: int = 64
    tasks: int = 512
    """The maximum number of its threads, where it has its own control group. A player with half as many loses earlier."""
    output_kb: int = 64
    """How much of its output is kept; the rest is discarded."""
    scratch_mb: int = 0
    """The maximum size of a file in a scratch folder that exists as long as the process; 0 for no such folder."""
    scratch_files: int = 4096
    """The maximum number of files and folders in it, where it is a file system of its own (level strong)."""
    isolation: Level | None = None
    """The level to run at; None for the best that this machine offers."""
    required: Level = Level.NONE
    """The lowest level at which games may be played."""
    core: int | None = None
    """The core to run on; None for any."""
    speed: float | None = None
    """The speed of that core, if it is known."""
    until: float | None = None
    """When to stop waiting, by `time.monotonic`; None to wait as long as players may take."""

    @property
    def time_in_force(self) -> TimeLimits:
        """The time limits, scaled to the speed of the core."""
        return self.time.at_speed(self.speed)

    @property
    def time_scale(self) -> float:
        """The factor by which they are scaled."""
        return self.time.scale(self.speed)
