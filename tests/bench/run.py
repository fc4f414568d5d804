"""The cost of a run apart from the players, and how it scales with the class."""

import logging
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tabulate import tabulate

from grader.store import Store
from tests.bench.classes import write_class
from tests.bench.figures import Effort, Report
from tests.bench.timing import clock_of_all

log = logging.getLogger(__name__)
SIZES = {Effort.FULL: (10, 50, 200, 500), Effort.QUICK: (2,)}
JOBS = (1, 2)
"""The number of games in parallel, each on its own core."""
SLOW_SIZES = {Effort.FULL: 8, Effort.QUICK: 1}
"""Submissions whose players think."""

PLAYER = """
from player import Player
class SmartPlayer(Player):
    def play(self, board):
        return board.get_possible_moves()[{number} % len(board.get_possible_moves())]
"""
ASSIGNMENT = """
title: Bench
game: hex
seed: 0
options: {size: 5}
opponents:
  - {player: random, points: 10, games: 2}
  - {player: minimax, points: 10, games: 2}
  - {player: minimax, options: {depth: 1}, points: 10, games: 2}
  - {player: coolcow, options: {depth: 1}, points: 10, games: 2}
"""
GAMES = 8
"""The number of games per submission."""
THINKS = """
import time
from player import Player
class SmartPlayer(Player):
    def play(self, board):
        end = time.thread_time() + 0.2
        while time.thread_time() < end:
            pass
        return board.get_possible_moves()[{number} % len(board.get_possible_moves())]
"""
HEADERS = ["submissions", "games", "cores", "wall s", "ms per game", "speed-up", "players' share of all CPU"]


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run took."""

    wall: float
    cpu: float
    """CPU seconds of all processes."""
    players: float
    """CPU seconds of the players, for loading and for their moves."""
    games: int


def report(effort: Effort) -> Report:
    """Classes of several sizes with trivial players, and one whose players think for 0.2 s per move."""
    trivial = [row for size in SIZES[effort] for row in measure_size(size, PLAYER)]
    slow = measure_size(SLOW_SIZES[effort], THINKS)
    tables = [tabulate(rows, HEADERS, tablefmt="pipe", floatfmt=".1f") for rows in (trivial, slow)]
    cores = f"{os.cpu_count()} cores"
    return Report(
        f"A run with trivial players on {cores}\n\n{tables[0]}\n\nWith players that take 0.2 s per move\n\n{tables[1]}"
    )


def measure_size(submissions: int, player: str) -> list[list[float | str]]:
    """A row for each number of cores, with the speed-up over the first."""
    rows, alone = list[list[float | str]](), 0.0
    for jobs in JOBS:
        log.info("%d submissions on %d of %s cores", submissions, jobs, os.cpu_count())
        run = measure_run(submissions, player, jobs)
        alone = alone or run.wall
        share = f"{run.players / run.cpu:.1%}"
        rows.append([submissions, run.games, jobs, run.wall, 1000 * run.wall / run.games, alone / run.wall, share])
    return rows


def measure_run(submissions: int, player: str, jobs: int) -> Measured:
    """Run the command on a class, and add up what its games say of the players."""
    with tempfile.TemporaryDirectory() as folder:
        source = write_class(Path(folder, "submissions"), submissions, player, ASSIGNMENT)
        results = Path(folder, "results")
        command = [sys.executable, "-m", "grader", "run", str(source), "-o", str(results), "-j", str(jobs), "--yes"]
        clock = clock_of_all()
        began, before = time.monotonic(), clock()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)  # its progress (stderr) is shown
        wall, cpu = time.monotonic() - began, clock() - before
        with Store.open_read_only(results) as store:
            records = list(filter(None, map(store.get, store.keys())))
    loads = sum(seat.load.cpu for record in records for seat in record.seats if seat.load is not None)
    return Measured(wall, cpu, loads + sum(record.total_charge().cpu for record in records), len(records))
