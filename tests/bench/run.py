"""What a run costs beside the players themselves, and how that grows with the class."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tabulate import tabulate

SIZES = (10, 40, 60, 200)
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
options: {size: 5}
opponents:
  - {player: random, points: 10, games: 2}
  - {player: minimax, points: 10, games: 2}
  - {player: minimax, options: {depth: 1}, points: 10, games: 2}
  - {player: coolcow, options: {depth: 1}, points: 10, games: 2}
"""


def report() -> str:
    """Seconds and shares for classes of several sizes, four opponents and two games each, trivial players."""
    rows = []
    for size in SIZES:
        wall, ours, players = measured(size)
        games = size * 8
        rows.append([size, games, wall, 1000 * wall / games, f"{ours / (ours + players):.0%}"])
    headers = ["submissions", "games", "wall s", "ms a game", "grader's share of all CPU"]
    return f"A run with trivial players on {os.cpu_count()} cores\n\n" + tabulate(rows, headers, floatfmt=".1f")


def measured(submissions: int) -> tuple[float, float, float]:
    """Wall seconds of a run, CPU seconds of the grader and its workers, and CPU seconds of the players.

    The players' is what the whole machine used beside ours: bubblewrap ends before it could account for them. So nothing
    else may run meanwhile.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "submissions")
        for number in range(submissions):
            own = source / f"s{number:03}"
            own.mkdir(parents=True)
            (own / "solution.py").write_text(PLAYER.format(number=number), encoding="utf-8")
        (source / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")
        command = [sys.executable, "-m", "grader", "run", str(source), "-o", str(Path(folder, "results"))]
        began, busy = time.monotonic(), _busy()
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        used: dict[int, float] = {}
        while running.poll() is None:
            used.update(_descendants(running.pid))
            time.sleep(0.05)
        assert running.returncode == 0
        wall, ours = time.monotonic() - began, sum(used.values())
    return wall, ours, _busy() - busy - ours


def _busy() -> float:
    """CPU seconds that all cores have worked since the machine was started."""
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
