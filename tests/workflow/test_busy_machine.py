"""A class graded on a machine on which other programs keep all cores busy for the first seconds."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from grader.sandbox.idle_cores import IdleCores
from grader.sandbox.isolation import Level
from grader.sandbox.machine import best_level
from tests.command import ENGLISH, grader
from tests.workflow.folders import folder, results

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems charge wall time")

HOGS = 6
"""Busy processes per core."""
WAITING = "Waiting for the machine to become less busy: "

CLOCK_WATCHER = """
import time
from player import Player
class SmartPlayer(Player):
    def play(self, board):
        moves = board.get_possible_moves()
        end = time.monotonic() + 0.33 * (len(moves) > 7)
        while time.monotonic() < end:
            pass
        return moves[-1]
"""
"""It loses, and thinks less when it has to wait: for more than 0.25 s only if several others compete for its core."""

TERMS = """
title: A busy machine
game: hex
options: {size: 3}
time: {move: 0.6, load: 20}
seed: 0
opponents:
  - {player: minimax, points: 10, games: 2}
"""


@contextmanager
def hogs(cores: list[int]) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Processes that keep these cores busy."""
    code = "import time\nend = time.monotonic() + 60\nwhile time.monotonic() < end: pass"
    started: list[subprocess.Popen[bytes]] = []
    for core in [core for core in cores for _ in range(HOGS)]:
        # Each in its own session: otherwise the scheduler may give all of them together no more time than one player.
        started.append(subprocess.Popen([sys.executable, "-c", code], start_new_session=True))
        os.sched_setaffinity(started[-1].pid, {core})
    try:
        yield started
    finally:
        for hog in started:
            hog.kill()
            hog.wait()


@pytest.mark.skipif(best_level() < Level.GOOD, reason="below level good a player may cause waits itself")
def test_every_submission_is_graded_though_the_machine_is_busy_at_first(tmp_path):
    source = folder(tmp_path / "in", TERMS, ana=CLOCK_WATCHER, luis=CLOCK_WATCHER + "#")
    command = [sys.executable, "-m", "grader", "run", source, "-o", tmp_path / "out"]
    english = {**os.environ, **ENGLISH}
    with (
        hogs(sorted(os.sched_getaffinity(0))) as busy,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env=english) as run,
    ):
        assert run.stderr is not None
        for line in run.stderr:
            if line.startswith(WAITING):
                break
        else:
            pytest.fail("no game was disturbed")
        for hog in busy:
            hog.kill()
        printed, errors = run.communicate(timeout=200)
    report = grader("report", tmp_path / "out")
    load = json.loads((tmp_path / "out" / "timings.json").read_text(encoding="utf-8"))["load"]

    assert run.returncode == 0, errors
    assert [result["status"] for result in results(tmp_path / "out").values()] == ["graded", "graded"]
    assert load["replayed"] > 0 and load["fewest"] == 1
    sentence = f"The machine was busy: {load['replayed']} games were played again."
    assert sentence.replace("1 games were", "1 game was") in " ".join(printed.split())
    assert "The machine was busy: " in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert report.stdout == printed


def test_a_core_that_another_process_uses_is_not_idle():
    core = min(os.sched_getaffinity(0))
    with hogs([core]):
        idle = IdleCores([core])
        time.sleep(1)
        used = idle.since_last()

    assert used is not None and used < 0.2
