"""A player that is losing cannot have its games replayed or thrown away, in a run and in a tournament by the real command."""

import json
import os
import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from grader.language import from_json
from grader.sandbox.isolation import Level
from grader.sandbox.machine import best_level
from tests.command import grader
from tests.results.tampering import save_hashes_again
from tests.workflow.folders import FIRST, folder, results

pytestmark = pytest.mark.skipif(best_level() < Level.GOOD, reason="only from this level on waits have a game replayed")

ASSIGNMENT = """
title: Vetoes
game: hex
seed: 0
options: {size: 3}
time: {move: 1, load: 5}
opponents:
  - {player: random, points: 10, games: 2}
"""
WAITS = FIRST.replace("        return", "        self.wait()\n        return").replace("()[0]", "()[-1]")
THREADS = (
    WAITS
    + """
    def wait(self):
        import threading
        threads = [threading.Thread(target=self.hash_and_sleep) for _ in range(8)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]

    def hash_and_sleep(self):
        import hashlib, time
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            hashlib.sha256(bytes(4_000_000)).digest()
            time.sleep(0.02 - time.monotonic() % 0.02)
"""
)
"""Eight threads that wake together, and hash without the interpreter's lock: they wait for each other."""
FAULTS = (
    WAITS
    + """
    def wait(self):
        import mmap, os, time
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            pages = mmap.mmap(-1, 1 << 22)
            for at in range(0, 1 << 22, 4096):
                pages[at] = 1
            pages.close()
            os.sched_yield()
            print("x" * 5000)
            time.sleep(0.001)
"""
)
"""Page faults, prints that the grader has to read, and short sleeps."""
SAMPLES = (
    WAITS
    + """
    def wait(self):
        import os, time
        end = time.monotonic() + 0.4
        while time.monotonic() < end:
            time.sleep(max(0, 0.0036 - time.monotonic() % 0.004))
            sample = time.monotonic() // 0.004 * 0.004 + 0.004
            while time.monotonic() < sample + 0.00003:
                os.write(2, b"x")
"""
)
"""It prints at the moments at which many kernels look what a core does, so that the core seems to be busy all the time."""
REASON = re.compile(r"spent ([\d.]+) s waiting for a CPU core, and other programs used that core for ([\d.]+) s")


class OtherPrograms:
    """The CPU time that programs other than the command under test use, by the system's own counts of each process."""

    def __init__(self) -> None:
        self._began = self._seconds()

    def used(self) -> float:
        """Seconds since the beginning, of processes that lived all the time, and of those that they started and that ended.

        What a hypervisor took is included.
        """
        now = self._seconds()
        return sum(now[pid] - self._began[pid] for pid in now.keys() & self._began.keys())

    def _seconds(self) -> dict[str, float]:
        found = {"hypervisor": float(Path("/proc/stat").read_text(encoding="ascii").split()[8])}
        for process in Path("/proc").iterdir():
            if process.name.isdecimal() and process.name != str(os.getpid()):
                with suppress(OSError):  # it has just ended
                    fields = (process / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
                    found[process.name] = float(sum(map(int, fields[11:15])))
        return {name: ticks / os.sysconf("SC_CLK_TCK") for name, ticks in found.items()}


def play(command: str, source: Path, out: Path) -> list[str]:
    """Play with one worker. Returns why games were replayed or not played: each time because of other programs."""
    others = OtherPrograms()
    done = grader(command, source, "-o", out, "-j", "1")
    used = others.used()
    reasons = [str(from_json(why)) for record in records(out) for why in record["attempts"]]
    reasons += re.findall(r"[^\n]*waiting for a CPU core[^\n]*", done.stdout + done.stderr)

    waits = [found.groups() for why in reasons if (found := REASON.search(why))]
    assert len(waits) == len(reasons), reasons
    assert all(float(use) >= 0.5 * float(wait) - 0.1 for wait, use in waits), reasons
    assert sum(float(wait) for wait, _ in waits) <= 2 * used + 1, "other programs did not use that much"
    assert done.returncode == 0 or waits, done.stderr
    return reasons


def records(out: Path) -> list[dict[str, Any]]:
    connection = sqlite3.connect(out / "results.sqlite")
    try:
        return [json.loads(record) for (record,) in connection.execute("SELECT record FROM matches")]
    finally:
        connection.close()


def assert_shown_if_replayed(out: Path) -> None:
    """A game that was replayed is shown with the reason, by `show` and in the report."""
    connection = sqlite3.connect(out / "results.sqlite")
    with closing(connection), connection:
        for key, text in connection.execute("SELECT key, record FROM matches").fetchall():
            changed = json.dumps({**json.loads(text), "attempts": ["The machine was busy."]})
            connection.execute("UPDATE matches SET record = ? WHERE key = ?", (changed, key))
    save_hashes_again(out)
    shown = grader("show", out, "threads")
    assert "Game 1 against random was played again: The machine was busy." in shown.stdout, shown.stderr
    assert grader("report", out).returncode == 0
    assert "did not count: The machine was busy." in (out / "report.html").read_text(encoding="utf-8")


def test_in_a_run_a_lost_game_is_replayed_only_because_of_other_programs(tmp_path):
    source = folder(tmp_path / "in", ASSIGNMENT, threads=THREADS, faults=FAULTS, samples=SAMPLES)
    replayed = play("run", source, tmp_path / "out")

    for player in results(tmp_path / "out").values():
        assert replayed or (player["status"], player["parts"][0]["games"]) == ("graded", 2)
    if not replayed:
        assert_shown_if_replayed(tmp_path / "out")


def test_in_a_tournament_a_lost_game_is_replayed_only_because_of_other_programs(tmp_path):
    source = folder(tmp_path / "in", ASSIGNMENT, threads=THREADS, faults=FAULTS)
    replayed = play("tournament", source, tmp_path / "out")

    (found,) = json.loads((tmp_path / "out/standings.json").read_text(encoding="utf-8"))["tournaments"]
    assert replayed or (found["unplayed"], len(records(tmp_path / "out"))) == ([], 2)
