"""The games of a run cannot be predicted: neither by recording others, nor from the seed that a player is given."""

import json
from pathlib import Path

import pytest

from grader.competition.records import Competition
from grader.games.hex import Hex
from grader.results import saved
from grader.store import Store
from tests.command import grader
from tests.workflow.folders import folder

COURSE = """
title: A course
game: hex
options: {size: 5}
time: {move: 2, load: 5}
opponents:
  - {player: minimax, points: 10, games: 6}
  - {player: coolcow, options: {depth: 1}, points: 10, games: 2, hidden: true}
"""
PEEKER = """
import random
class SmartPlayer:
    def __init__(self, player_id, seed):
        print("My seed:", seed, random.random())
    def play(self, board):
        return board.get_possible_moves()[0]
"""
TABLE = """
TABLE = {table}
class SmartPlayer:
    def __init__(self, player_id): ...
    def play(self, board):
        known = TABLE.get(str(board.board))
        return known or board.get_possible_moves()[0]
"""
"""A player that knows nothing but positions of recorded games."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same submission, graded into two new folders without a seed."""
    at = tmp_path_factory.mktemp("secret")
    source = folder(at / "in", COURSE, peeker=PEEKER)
    for name in ("one", "two"):
        done = grader("run", source, "-o", at / name)
        assert done.returncode == 0, done.stderr
        assert f"Seed: {seed_of(at / name)}." in done.stdout
    return at


def test_each_results_folder_draws_a_secret_of_its_own(runs):
    seeds = [seed_of(runs / name) for name in ("one", "two")]

    assert seeds[0] != seeds[1]
    assert min(seeds) > 2**64
    assert lines(runs / "one") != lines(runs / "two")


def test_what_a_player_is_given_is_the_same_with_every_secret(runs):
    printed = [
        [competition.results[fixture.key].seats[fixture.seat].output for fixture in competition.fixtures]
        for competition in map(loaded, (runs / "one", runs / "two"))
    ]

    assert printed[0] == printed[1]
    assert all(text.startswith("My seed: ") for text in printed[0])
    assert set(printed[0][6:]) == set(printed[0][:2]), "the hidden opponent comes with the same seeds"


def test_the_secret_stays_with_the_folder_and_out_of_the_feedback(runs):
    secret = seed_of(runs / "one")
    again = grader("run", runs / "in", "-o", runs / "one")
    shown = grader("show", runs / "one", "peeker")
    verified = grader("verify", runs / "one")
    files = [file.read_text(encoding="utf-8") for file in (runs / "one" / "feedback").iterdir()]

    assert "0 games to play" in again.stderr or "Playing" not in again.stderr
    assert seed_of(runs / "one") == secret
    assert str(secret) in shown.stdout
    assert verified.returncode == 0, verified.stdout
    assert files
    assert not [text for text in files if str(secret) in text]


def test_recorded_wins_do_not_repeat_with_another_secret(tmp_path):
    winner = Path(__file__).parents[2].joinpath("submissions/hex_shortest_path/solution.py").read_text(encoding="utf-8")
    grader("run", folder(tmp_path / "in", COURSE, winner=winner), "-o", tmp_path / "recorded", "--seed", "1")
    table = TABLE.format(table=recorded_moves(tmp_path / "recorded"))
    source = folder(tmp_path / "tables", COURSE, table=table)
    for name, seed in (("same", "1"), ("other", "2")):
        grader("run", source, "-o", tmp_path / name, "--seed", seed)
    recorded, same, other = (lines(tmp_path / name) for name in ("recorded", "same", "other"))

    assert recorded == same, "with the same seed, the table repeats every game"
    assert len(set(recorded) & set(other)) <= 1
    assert points(tmp_path / "other") < points(tmp_path / "same")


def recorded_moves(results: Path) -> dict[str, tuple[int, int]]:
    """The moves of the submission in all recorded positions."""
    game, found = Hex(5), {}
    competition = loaded(results)
    for fixture in competition.fixtures:
        position = game.start()
        for turn in competition.results[fixture.key].turns:
            move = game.parse_move(turn.move)
            if game.turn(position) == fixture.seat:
                found[str(game.board(position).board)] = move
            position = game.play(position, move)
    return found


def loaded(results: Path) -> Competition:
    with Store.open_read_only(results) as store:
        return saved.load_run(store)


def lines(results: Path) -> list[tuple[str, ...]]:
    """The moves of all games."""
    competition = loaded(results)
    return [tuple(turn.move for turn in competition.results[fixture.key].turns) for fixture in competition.fixtures]


def seed_of(results: Path) -> int:
    found = json.loads((results / "results.json").read_text(encoding="utf-8"))["seed"]
    assert isinstance(found, int)
    return found


def points(results: Path) -> float:
    (one,) = json.loads((results / "results.json").read_text(encoding="utf-8"))["submissions"]
    return float(one["score"])
