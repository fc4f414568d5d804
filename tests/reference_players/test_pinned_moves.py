"""Moves in fixed positions, the same on every machine and Python version. If one changes, the player has changed."""

from typing import Any

import pytest

from grader.games.desconecta4 import Environment
from reference_players.alphabeta import AlphaBetaPlayer
from reference_players.coolcow import CoolcowPlayer
from reference_players.mcts import MctsPlayer
from reference_players.minimax import MinimaxPlayer
from reference_players.random import RandomPlayer
from reference_players.ultrapro import UltraProPlayer
from tests.reference_players.positions import scattered, to_move

POSITIONS = [(11, 0, "axial"), (11, 1, "axial"), (11, 8, "axial"), (11, 31, "even-r"), (7, 16, "axial")]
"""Size, number of random stones, adjacency."""
SEEDED = {"seed": 7, "opening": 2}
DOCUMENTED = {"style": "documented"}


@pytest.mark.parametrize(
    ("player", "options", "moves"),
    [
        (RandomPlayer, {}, "4,10 2,0 3,8 5,9 0,6"),
        (RandomPlayer, SEEDED, "8,3 9,10 6,1 7,9 3,3"),
        (MinimaxPlayer, {}, "5,0 0,5 5,5 5,5 3,3"),
        (MinimaxPlayer, SEEDED, "3,5 3,5 5,5 5,5 3,3"),
        (MinimaxPlayer, DOCUMENTED, "5,0 0,5 5,0 0,5 3,0"),
        (CoolcowPlayer, {}, "5,5 5,5 6,6 5,5 3,3"),
        (CoolcowPlayer, SEEDED, "3,5 3,5 6,7 5,5 3,3"),
        (CoolcowPlayer, DOCUMENTED, "0,10 0,1 5,9 1,4 3,3"),
        (MctsPlayer, {}, "9,1 9,7 7,3 4,3 3,3"),
        (MctsPlayer, SEEDED, "3,5 3,5 8,2 4,3 3,3"),
        (MctsPlayer, {"simulations": 30, **DOCUMENTED}, "1,9 9,7 8,2 7,7 5,3"),
        (UltraProPlayer, {}, "5,5 8,3 7,4 4,4 2,4"),
        (UltraProPlayer, SEEDED, "3,5 3,5 8,2 4,4 2,4"),
        (UltraProPlayer, DOCUMENTED, "5,5 9,3 5,7 5,5 3,4"),
    ],
)
def test_a_hex_player_plays_these_moves(player, options, moves):
    boards = [scattered(size, stones, 1, adjacency) for size, stones, adjacency in POSITIONS]

    assert " ".join("{},{}".format(*player(to_move(board), **options).play(board)) for board in boards) == moves


@pytest.mark.parametrize(
    ("player", "options", "moves"),
    [
        (RandomPlayer, {}, "3145"),
        (RandomPlayer, SEEDED, "2211"),
        (AlphaBetaPlayer, {"depth": 4}, "0050"),
        (AlphaBetaPlayer, {"depth": 4, **SEEDED}, "2242"),
        (AlphaBetaPlayer, {}, "0020"),
    ],
)
def test_a_desconecta4_player_plays_these_actions(player, options, moves):
    environments = [environment_after(actions) for actions in ("", "3", "010636", "33001122554")]

    assert "".join(str(player(env.active_player, **options).play(env)) for env in environments) == moves


def environment_after(actions: str) -> Any:
    environment = Environment()
    for action in actions:
        environment.apply(int(action))
    return environment
