"""A large class on one machine: the grader's memory, throughput as the store grows, and quality of the time estimate."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tabulate import tabulate

from tests.bench.classes import write_class
from tests.faults.disturbed import games_in

SUBMISSIONS = 500
GAMES = SUBMISSIONS * 5 * 4
QUARTERS = (25, 50, 75, 100)
PLAYER = """
from player import Player
class SmartPlayer(Player):
    def play(self, board):
        moves = board.get_possible_moves()
        return moves[({number} + 7 * len(moves)) % len(moves)]
"""
ASSIGNMENT = """
title: Load
game: hex
seed: 0
options: {size: 5}
opponents:
  - {player: random, points: 10, games: 4}
  - {player: minimax, points: 10, games: 4}
  - {player: minimax, options: {depth: 1}, points: 10, games: 4}
  - {player: coolcow, options: {depth: 1}, points: 10, games: 4}
  - {player: coolcow, options: {depth: 2, width: 4}, points: 10, games: 4}
"""


def report() -> str:
    """The figures of a run of 10 000 games, by quarters, and of regenerating its reports."""
    with tempfile.TemporaryDirectory() as folder:
        source = write_class(Path(folder, "submissions"), SUBMISSIONS, PLAYER, ASSIGNMENT)
        results, log = Path(folder, "results"), Path(folder, "log.txt")
        command = [sys.executable, "-m", "grader", "run", str(source), "-o", str(results), "--yes"]
        began = time.monotonic()
        with log.open("wb") as opened:
            running = subprocess.Popen(command, stdout=opened, stderr=opened)
        reached, memory = _watch(running, results, began)
        total = time.monotonic() - began
        facts = [
            ["total", f"{total / 60:.1f} min, exit {running.returncode}"],
            ["estimate before playing", _estimate(log.read_text(encoding="utf-8"))],
            ["peak memory of the grader's process", f"{memory / 1024:.0f} MB"],
            ["`grader report`", f"{_time_report(results):.1f} s"],
            ["report.html", f"{(results / 'report.html').stat().st_size / 1e6:.1f} MB"],
            ["results.sqlite", f"{(results / 'results.sqlite').stat().st_size / 1e6:.1f} MB"],
        ]
    quarters = [
        [f"{at - 25} to {at} %", f"{GAMES / 4 / (reached[at] - reached.get(at - 25, 0.0)):.1f}"] for at in QUARTERS
    ]
    head = f"{SUBMISSIONS} submissions × 5 opponents × 4 games"
    return f"{head}\n\n{tabulate(facts)}\n\n{tabulate(quarters, ['games', 'per second'], disable_numparse=True)}"


def _estimate(output: str) -> str:
    return next((line for line in output.splitlines() if "games to play" in line), "–")


def _time_report(results: Path) -> float:
    """Seconds to regenerate all reports."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-m", "grader", "report", str(results)], capture_output=True, check=True)
    return time.monotonic() - began


def _watch(running: "subprocess.Popen[bytes]", results: Path, began: float) -> tuple[dict[int, float], int]:
    """The seconds until each quarter of the games was finished, counted from the first game, and the peak memory in kB."""
    reached: dict[int, float] = {}
    memory, first = 0, 0.0
    while running.poll() is None:
        time.sleep(0.5)
        memory = max(memory, _peak(running.pid))
        played = games_in(results)
        if not first and played:
            first = time.monotonic()
        for at in QUARTERS:
            if played >= GAMES * at // 100:
                reached.setdefault(at, time.monotonic() - first)
    reached.setdefault(100, time.monotonic() - (first or began))
    return reached, memory


def _peak(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)
