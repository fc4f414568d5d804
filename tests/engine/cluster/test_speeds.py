"""A cluster of machines that are not equally fast."""

from contextlib import ExitStack

from grader.results import saved
from grader.store import Store
from tests.command import grader
from tests.engine.cluster.machines import Lab, runnable

pytestmark = runnable

ASSIGNMENT = """
title: Mixed
game: hex
seed: 1
isolation: none
options: {size: 3}
time: {move: 2, reference_speed: 1.0}
opponents: [{player: random, points: 1, games: 20}]
"""
SAYS_ITS_LIMIT = """
import time

from player import Player

class SmartPlayer(Player):
    def __init__(self, player_id, time_limit=None):
        super().__init__(player_id)
        print("limit", time_limit)

    def play(self, board):
        time.sleep(0.05)
        return board.get_possible_moves()[0]
"""


def test_each_worker_scales_the_limits_to_its_own_speed(tmp_path, monkeypatch):
    submissions = tmp_path / "submissions"
    (submissions / "one").mkdir(parents=True)
    (submissions / "one" / "solution.py").write_text(SAYS_ITS_LIMIT, encoding="utf-8")
    (submissions / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")
    with ExitStack() as stack:
        lab = Lab(tmp_path / "lab", stack)
        for speed in ("1.0", "0.5"):
            monkeypatch.setenv("GRADER_SPEED", speed)
            lab.worker()
        done = grader("run", submissions, "-o", tmp_path / "results", "--cluster", lab.address, timeout=200)
    assert done.returncode == 0, done.stderr
    with Store(tmp_path / "results") as store:
        records = saved.load_run(store).results.values()
    played = {
        (record.speed, record.time_scale, seat.output.strip())
        for record in records
        for seat in record.seats
        if seat.name == "one"
    }

    assert played == {(1.0, 1.0, "limit 2.0"), (0.5, 2.0, "limit 4.0")}
    assert "speed 0.5–1, time limits × 1–2" in " ".join(done.stdout.split())
