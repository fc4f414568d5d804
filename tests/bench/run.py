"""The cost of a run apart from the players, and how it scales with the class."""

import logging
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tabulate import tabulate

from tests.bench.classes import write_class
from tests.bench.figures import Effort, Report

log = logging.getLogger(__name__)
SIZES = {Effort.FULL: (10, 50, 200), Effort.QUICK: (2,)}
JOBS = (1, 2)
"""The number of games in parallel, each on its own core."""
TICKS = os.sysconf("SC_CLK_TCK")

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


def report(effort: Effort) -> Report:
    """Seconds and shares for classes of several sizes, with four opponents, two games each, and trivial players."""
    rows = [row for size in SIZES[effort] for row in measure_size(size)]
    headers = ["submissions", "games", "cores", "wall s", "ms per game", "speed-up", "grader's share of all CPU"]
    title = f"A run with trivial players on {os.cpu_count()} cores; other load on the machine counts as the players'"
    return Report(f"{title}\n\n{tabulate(rows, headers, tablefmt='pipe', floatfmt='.1f')}")


def measure_size(submissions: int) -> list[list[float | str]]:
    """A row for each number of cores, with the speed-up over the first."""
    rows, games, alone = list[list[float | str]](), submissions * GAMES, 0.0
    for jobs in JOBS:
        log.info("%d submissions, %d games, on %d of %s cores", submissions, games, jobs, os.cpu_count())
        wall, ours, players = measure_run(submissions, jobs)
        alone = alone or wall
        share = f"{ours / (ours + players):.0%}"
        rows.append([submissions, games, jobs, wall, 1000 * wall / games, alone / wall, share])
    return rows


def measure_run(submissions: int, jobs: int) -> tuple[float, float, float]:
    """Wall seconds of a run, CPU seconds of the grader and its workers, and CPU seconds of the players.

    The players' time is everything that the machine used except ours, because bubblewrap exits before it could account for
    them. So nothing else may run at the same time.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = write_class(Path(folder, "submissions"), submissions, PLAYER, ASSIGNMENT)
        results = str(Path(folder, "results"))
        command = [sys.executable, "-m", "grader", "run", str(source), "-o", results, "-j", str(jobs), "--yes"]
        began, busy = time.monotonic(), _busy()
        used: dict[int, float] = {}
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as running:  # its progress (stderr) is shown
            try:
                while running.poll() is None:
                    used.update(_descendants(running.pid))
                    time.sleep(0.05)
            finally:
                running.terminate()  # after an interruption
        assert running.returncode == 0, f"the run ended with {running.returncode}: see its output above"
        wall, ours = time.monotonic() - began, sum(used.values())
    return wall, ours, _busy() - busy - ours


def _busy() -> float:
    """CPU seconds used on all cores since the machine was started."""
    user, nice, system, *_ = Path("/proc/stat").read_text(encoding="ascii").split()[1:]
    return (int(user) + int(nice) + int(system)) / TICKS


def _descendants(root: int) -> dict[int, float]:
    """CPU seconds of the grader and its workers, without the players."""
    processes = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            processes[int(entry.name)] = (int(fields[1]), command, sum(int(value) / TICKS for value in fields[11:13]))
    ours = {root}
    for _ in range(3):
        ours |= {
            pid
            for pid, (parent, command, _) in processes.items()
            if parent in ours and b"sandbox.worker" not in command and b"bwrap" not in command
        }
    return {pid: seconds for pid, (_, _, seconds) in processes.items() if pid in ours}
