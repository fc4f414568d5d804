"""alphabeta computes the same values as the course's own program."""

import json
from pathlib import Path
from typing import Any

import pytest

from grader.games.desconecta4 import Environment
from reference_players.alphabeta import MARGIN, WIN, AlphaBetaPlayer, evaluate, root_values

DATA = Path(__file__).parent.parent / "games" / "data" / "desconecta4"


def lines_of(name: str) -> list[Any]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def environment_after(actions: str) -> Environment:
    environment = Environment()
    for action in actions:
        environment.apply(int(action))
    return environment


ORACLE = [
    pytest.param(row, id=f"{row['depth']} {row['actions']}")
    for d in (4, 6, 8)
    for row in lines_of(f"alphabeta{d}.jsonl")
]


@pytest.mark.parametrize("row", ORACLE)
def test_values_and_moves_are_those_of_the_course(row):
    environment = environment_after(row["actions"])
    values = root_values(environment.state, row["depth"])

    assert [values.get(action) for action in range(8)] == row["root_values"]
    assert max(values.values()) == row["value"]
    assert AlphaBetaPlayer(row["root"], depth=row["depth"]).play(environment) == row["best"]


@pytest.mark.parametrize("row", ORACLE[:10])
def test_the_heuristic_is_that_of_the_course_for_the_player_to_move(row):
    assert evaluate(environment_after(row["actions"]).state) == row["static"]


def test_there_are_ten_positions_for_each_depth():
    assert len(ORACLE) == 30


@pytest.mark.parametrize("row", ORACLE[1:10])  # the first is the empty board, which has its own list
def test_moves_chosen_by_seed_are_worse_than_the_best_by_at_most_the_margin(row):
    environment = environment_after(row["actions"])
    values = root_values(environment.state, 4)
    best = max(values.values())
    least = best if abs(best) >= WIN else best - MARGIN
    near = {action for action, value in values.items() if value >= least}
    chosen = {AlphaBetaPlayer(row["root"], depth=4, seed=seed).play(environment) for seed in range(40)}

    assert chosen == near
