"""The two kinds of jobs of a worker: try out a player, and play a unit of games."""

import time
from dataclasses import dataclass, replace
from typing import Any

from grader.engine.match import TRIES, no_player_fault, run_series
from grader.engine.move_counts import CountMove
from grader.errors import GraderFault, MachineBusy
from grader.games import Game
from grader.language import say
from grader.records import Fault, Finding, MatchRecord, as_json, read_fault
from grader.sandbox.limits import Limits
from grader.sandbox.process import PlayerProcess, Seating
from grader.sandbox.speed import limits_on


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialJob:
    """Load a player and ask it for one move that does not count."""

    seating: Seating
    game: Game
    limits: Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitJob:
    """Play a unit of games: one game, or several in the same processes."""

    keys: tuple[str, ...]
    """The key of each game in the store."""
    seeds: tuple[int, ...]
    game: Game
    seatings: tuple[tuple[Seating, Seating], ...]
    """The two players of each game; the first moves first."""
    limits: Limits
    attempts: tuple[str, ...] = ()
    """Why earlier attempts did not count."""
    busy_attempts: int = 0
    """How many of them did not count because the machine was too busy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The result of trying out a player."""

    fault: Fault | None
    """Why it cannot be loaded, if it cannot."""
    seconds: float = 0.0
    """How long its move took."""
    start: float = 0.0
    """How long its process and loading it took; 0 if that is not known."""
    error: str = ""
    """Why it could not be tried out, if the grader failed."""

    @classmethod
    def without_player(cls, why: Finding) -> "Trial":
        """The result for a submission in which no player was found."""
        return cls(fault=no_player_fault(why))

    @classmethod
    def from_json(cls, data: Any) -> "Trial":
        """Read what `as_json` wrote."""
        fault = data["fault"]
        return cls(fault=fault and read_fault(fault), seconds=data["seconds"], start=float(data.get("start", 0.0)))

    def as_json(self) -> Any:
        """The result as JSON, for the store."""
        return {"fault": as_json(self.fault), "seconds": self.seconds, "start": self.start}

    def summary(self) -> str:
        """The result in a few words, to follow the player's name."""
        if self.error:
            return say("could not be tested: {text}", text=self.error)
        return say("failed: {text}", text=self.fault.text) if self.fault else say("OK")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """The result of playing a unit of games."""

    records: tuple[MatchRecord, ...] = ()
    fault: str = ""
    """Why this attempt was not fair, if so: a fault of the grader, never scored."""
    busy: bool = False
    """Whether it was not fair because the machine was too busy."""


def try_out(job: TrialJob, core: int | None, _count_move: CountMove = lambda *_: None) -> Trial:
    """Load a player on a core and ask it for a move."""
    limits = limits_on(core, job.limits)
    problem = ""
    for _ in range(TRIES):
        began = time.monotonic()
        try:
            with PlayerProcess(job.seating, job.game, limits) as player:
                fault = player.load()
                start = time.monotonic() - began
                if fault is not None:
                    return Trial(fault=fault)
                return Trial(fault=None, seconds=player.choose(job.game.start()).charge.charged, start=start)
        except GraderFault as error:
            problem = error.text
    return Trial(fault=None, error=problem)


def play_unit(job: UnitJob, core: int | None, count_move: CountMove = lambda *_: None) -> UnitResult:
    """Play a unit of games on a core."""
    limits = limits_on(core, job.limits)
    try:
        records = run_series(job.game, job.seatings, limits, seeds=job.seeds, count_move=count_move)
        attempts, busy = job.attempts, job.busy_attempts
        return UnitResult(records=tuple(replace(record, attempts=attempts, busy_attempts=busy) for record in records))
    except GraderFault as error:
        return UnitResult(fault=error.text, busy=isinstance(error, MachineBusy))
