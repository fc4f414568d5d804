"""A run whose time limits are scaled to the speed of the machine."""

import json

import pytest

from grader.results import saved
from grader.store import Store
from tests.command import ENGLISH, grader

ASSIGNMENT = """
title: Scaled
game: hex
seed: 1
isolation: none
options: {size: 3}
time: {move: 0.2, load: 1, reference_speed: 1.0}
opponents: [{player: random, points: 1, games: 2}]
"""
SAYS_ITS_LIMIT = """
from player import Player

class SmartPlayer(Player):
    def __init__(self, player_id, time_limit=None):
        super().__init__(player_id)
        print("limit", time_limit)

    def play(self, board):
        return board.get_possible_moves()[0]
"""
NEVER_ANSWERS = SAYS_ITS_LIMIT.replace("return board.get_possible_moves()[0]", "while True: pass")
NEVER_LOADS = SAYS_ITS_LIMIT.replace("print(", "while True: pass\n        print(")


@pytest.fixture
def submissions(tmp_path):
    folder = tmp_path / "submissions"
    for name, code in (("says", SAYS_ITS_LIMIT), ("hangs", NEVER_ANSWERS), ("loads", NEVER_LOADS)):
        (folder / name).mkdir(parents=True)
        (folder / name / "solution.py").write_text(code, encoding="utf-8")
    (folder / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")
    return folder


def run(submissions, results, speed):
    return grader("run", submissions, "-o", results, environment={**ENGLISH, "GRADER_SPEED": str(speed)}, timeout=200)


def test_limits_are_scaled_recorded_and_shown(submissions, tmp_path):
    results = tmp_path / "results"
    done = run(submissions, results, 0.5)
    with Store(results) as store:
        competition = saved.load_run(store)
    by_player = {
        fixture.submission: competition.results[fixture.key]
        for fixture in competition.fixtures
        if fixture.key in competition.results
    }

    assert done.returncode == 0, done.stderr
    assert {(record.speed, record.time_scale) for record in by_player.values()} == {(0.5, 2.0)}
    says = by_player["says"]
    assert {seat.output.strip() for seat in says.seats if seat.name == "says"} == {"limit 0.4"}
    late = by_player["hangs"]
    assert late.fault is not None and "0.2 s per move. This limit is for a machine of speed 1;" in late.fault.text
    assert late.last_charge is not None and late.last_charge.charged > 0.4
    assert "speed 0.5, time limits × 2" in " ".join(done.stdout.split())
    assert "speed 0.5, time limits × 2" in (results / "report.html").read_text(encoding="utf-8")
    assert "0.2 s per move on a machine of speed 1" in (results / "report.html").read_text(encoding="utf-8")
    assert json.loads((results / "timings.json").read_text(encoding="utf-8"))["speed"] == 0.5

    verified = grader("verify", results, timeout=100)
    assert verified.returncode == 0, verified.stdout + verified.stderr


@pytest.mark.slow
def test_a_run_resumed_on_another_machine_repeats_no_game_and_the_grades_do_not_tell_them_apart(submissions, tmp_path):
    results, other = tmp_path / "results", tmp_path / "other"
    assert run(submissions, results, 0.5).returncode == 0
    before = finish_times(results)

    assert run(submissions, results, 0.25).returncode == 0
    assert finish_times(results) == before

    assert run(submissions, other, 0.4).returncode == 0
    first, second = ((folder / "results.json").read_bytes() for folder in (results, other))
    assert first == second
    assert b"Loading took longer than the 1 s limit." in first


def finish_times(results):
    with Store(results) as store:
        return [store.finish_time(fixture.key) for fixture in saved.load_run(store).fixtures]
