"""What a run costs beside the players themselves, and how that grows with the class."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tabulate import tabulate

SIZES = (10, 50, 200)
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
""" + "".join(f"  - {{player: random, name: random {number}, points: 10, games: 2}}\n" for number in range(4))


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
    """Wall seconds of a run, CPU seconds of the grader and its workers, and CPU seconds of the players."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "submissions")
        for number in range(submissions):
            own = source / f"s{number:03}"
            own.mkdir(parents=True)
            (own / "solution.py").write_text(PLAYER.format(number=number), encoding="utf-8")
        (source / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")
        command = [sys.executable, "-m", "grader", "run", str(source), "-o", str(Path(folder, "results"))]
        began = time.monotonic()
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        used: dict[int, tuple[float, float]] = {}
        while running.poll() is None:
            used.update(_descendants(running.pid))
            time.sleep(0.05)
        assert running.returncode == 0
        wall = time.monotonic() - began
    return wall, sum(own for own, _ in used.values()), sum(children for _, children in used.values())


def _descendants(root: int) -> dict[int, tuple[float, float]]:
    """CPU seconds of the grader's own processes below `root`: their own, and of the players that they have ended."""
    processes = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            processes[int(entry.name)] = (int(fields[1]), command, [int(value) / TICKS for value in fields[11:15]])
    ours = {root}
    for _ in range(3):
        ours |= {
            pid
            for pid, (parent, command, _) in processes.items()
            if parent in ours and b"sandbox.worker" not in command
        }
    return {
        pid: (sum(times[:2]), sum(times[2:]) if pid != root else 0.0)
        for pid, (_, _, times) in processes.items()
        if pid in ours
    }
