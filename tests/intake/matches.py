"""Matches of made submissions against the course's random player, in real processes."""

from pathlib import Path

from grader.engine.match import arrange, run_match
from grader.intake.entry import find_entry
from grader.intake.players import Contender, contender
from grader.records import MatchRecord
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.machine import best_level
from tests.intake.folders import Files, make

TIMES = TimeLimits(move=5.0, load=10.0)


def play_random(
    folder: Path,
    files: Files,
    *,
    first: bool = True,
    level: Level | None = None,
    time: TimeLimits = TIMES,
    size: int = 3,
) -> MatchRecord:
    """A match of a submission with these files against `random`, on a small board."""
    entry, findings = find_entry(make(folder, files))
    mine, other = Contender(name="mine", entry=entry, findings=findings), contender("random")
    game, seatings = arrange((mine, other) if first else (other, mine), "hex", {"size": size}, 7)
    level = min(best_level(), Level.GOOD) if level is None else level
    return run_match(game, seatings, Limits(time=time, isolation=level), seed=7)
