"""False time-outs on an overloaded machine: moves that use 0.9 of their limit, next to 8 busy processes per core."""

import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from tabulate import tabulate

from grader.errors import GraderFault
from grader.records import Charge
from grader.sandbox.limits import TimeLimits
from grader.sandbox.machine import best_level
from grader.sandbox.process import PlayerProcess
from tests.bench.figures import Effort, Report
from tests.sandbox.seats import GAME, limits, seating, write_file

BUSY = 8
"""Busy processes per core."""
SEATS = 4
"""Players per core that think at the same time: in a run only one does."""
MOVES = 10_000
LIMITS = (0.05, 0.2)
"""Time limits per move, in seconds."""
SHARES = (0.8, 0.2)
"""The share of the moves that have each limit."""
SHARE = 0.9
"""How much of its limit a move uses."""
LONGEST = 1500.0
"""Seconds for all moves, after which no more are begun."""
PLAYER = """
import time

class SmartPlayer:
    def __init__(self, player_id):
        pass

    def play(self, board):
        end = time.thread_time() + {seconds}
        while time.thread_time() < end:
            pass
        return board.get_possible_moves()[0]
"""
HOG = "import time\nend = time.monotonic() + {seconds}\nwhile time.monotonic() < end: pass"


@dataclass(frozen=True, slots=True)
class Moves:
    """The moves of one player."""

    charges: tuple[Charge, ...]
    late: int
    """How many of them were time-outs."""
    unfair: int
    """How often the grader said that the machine was too busy."""


def report(effort: Effort) -> Report:
    """A table with one line per time limit."""
    cores = sorted(os.sched_getaffinity(0))
    moves, longest = (MOVES, LONGEST) if effort is Effort.FULL else (2 * SEATS * len(cores), 20.0)
    rows = []
    with busy_processes(BUSY * len(cores), longest + 120):
        for limit, share in zip(LIMITS, SHARES, strict=True):
            rows.append(_row(limit, int(moves * share), cores, longest * share))
    headers = ["limit", "moves", "false time-outs", "too busy", "wall: median", "most", "charged: median", "most"]
    text = (
        f"{BUSY} busy processes and {SEATS} players per core, {len(cores)} cores, moves of {SHARE} of their limit\n\n"
    )
    return Report(text + tabulate(rows, headers, disable_numparse=True))


def _row(limit: float, moves: int, cores: list[int], longest: float) -> list[str]:
    jobs = [(limit, max(1, moves // (SEATS * len(cores))), core, longest) for core in cores for _ in range(SEATS)]
    with ProcessPoolExecutor(len(jobs), get_context("forkserver")) as pool:
        found = list(pool.map(play, jobs))
    charges = [charge for one in found for charge in one.charges]
    wall, charged = ([getattr(charge, name) / limit for charge in charges] for name in ("wall", "charged"))
    figures = [f"{value:.2f}" for values in (wall, charged) for value in (statistics.median(values), max(values))]
    return [
        f"{limit} s",
        str(len(charges)),
        str(sum(one.late for one in found)),
        str(sum(one.unfair for one in found)),
        *(f"{figure} × limit" for figure in figures),
    ]


def play(job: tuple[float, int, int, float]) -> Moves:
    """Ask a player on one core for moves, and start it again after each time-out."""
    limit, moves, core, longest = job
    until = math.inf
    times = TimeLimits(move=limit, load=300.0)
    charges: list[Charge] = []
    late = unfair = 0
    with tempfile.TemporaryDirectory() as folder:
        file = write_file(Path(folder), PLAYER.format(seconds=SHARE * limit))
        while len(charges) < moves and time.monotonic() < until:
            with PlayerProcess(seating(file), GAME, limits(best_level(), times, core=core)) as seat:
                assert seat.load() is None
                until = min(until, time.monotonic() + longest)
                while len(charges) < moves and time.monotonic() < until:
                    try:
                        answer = seat.choose(GAME.start())
                    except GraderFault:
                        unfair += 1
                        break
                    charges.append(answer.charge)
                    if answer.fault is not None:
                        late += 1
                        break
    return Moves(tuple(charges), late, unfair)


@contextmanager
def busy_processes(count: int, seconds: float) -> Iterator[None]:
    """Processes that compute, each in its own session, so that each gets as much time as a player. They end by themselves."""
    command = [sys.executable, "-c", HOG.format(seconds=seconds)]
    hogs = [subprocess.Popen(command, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for hog in hogs:
            hog.kill()
        for hog in hogs:
            hog.wait()
