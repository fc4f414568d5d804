"""Submissions for the tests of clusters, and the progress of a run."""

import sqlite3
import subprocess
import sys
from pathlib import Path

from tests.waiting import wait_until
from tests.workflow.folders import ASSIGNMENT, CRASHES, FIRST, LAST, folder

SHORT = ASSIGNMENT.replace("games: 4", "games: 2")
SLOW = FIRST.replace("return", "import time; time.sleep(0.15); return")
READS = """
from pathlib import Path
from helpers.moves import Player, pick
class SmartPlayer(Player):
    def play(self, board):
        order = (Path(__file__).parent / "datos ñ" / "orden.txt").read_text(encoding="utf-8")
        return pick(board, int(order))
"""
"""A player with its own module and data file."""


def all_kinds(at: Path) -> Path:
    """Players that differ in their files and in how their games end."""
    source = folder(at, SHORT, first=FIRST, last=LAST, broken=CRASHES, peña=READS, typo="def")
    (source / "peña/helpers").mkdir()
    (source / "peña/helpers/moves.py").write_text(
        "from player import Player\ndef pick(board, at):\n    return board.get_possible_moves()[at]\n", encoding="utf-8"
    )
    (source / "peña/datos ñ").mkdir()
    (source / "peña/datos ñ/orden.txt").write_text("2", encoding="utf-8")
    return source


def slow_ones(at: Path, count: int = 2) -> Path:
    """Players whose games take a second or more."""
    return folder(at, **{f"s{number}": f"{SLOW}# {number}\n" for number in range(count)})


def finished(output: Path) -> int:
    """The number of matches in a store."""
    if not (output / "results.sqlite").exists():
        return 0
    connection = sqlite3.connect(output / "results.sqlite")
    try:
        return int(connection.execute("SELECT COUNT(*) FROM matches").fetchone()[0])
    except sqlite3.OperationalError:  # its tables are just being created
        return 0
    finally:
        connection.close()


def started(source: Path, output: Path, cluster: str, *, matches: int) -> "subprocess.Popen[str]":
    """A run in its own session, in which this number of matches has been played."""
    command = [sys.executable, "-m", "grader", "run", str(source), "-o", str(output), "--cluster", cluster]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    wait_until(lambda: finished(output) >= matches or process.poll() is not None)
    assert process.poll() is None, process.communicate()
    return process
