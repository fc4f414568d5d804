"""Matches of small submissions against the random reference player, in real processes."""

from dataclasses import replace
from pathlib import Path

from grader.engine.match import prepare_match, run_match
from grader.reading.players import resolve_player
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
    mine, other = replace(resolve_player(str(make(folder, files))), name="mine"), resolve_player("random")
    game, seatings = prepare_match((mine, other) if first else (other, mine), "hex", {"size": size}, 7)
    level = min(best_level(), Level.GOOD) if level is None else level
    return run_match(game, seatings, Limits(time=time, isolation=level), seed=7)
