"""The speed of the reference players' building blocks, compared with common alternatives."""

import json
import random
import statistics
import time
from functools import partial
from pathlib import Path

from grader.games.desconecta4 import Environment
from grader.games.hex.grid import hex_grid
from reference_players.alphabeta import AlphaBetaPlayer
from reference_players.search.connection import shortest_connection
from reference_players.search.geometry import geometry
from reference_players.search.percolation import Noise, Percolation
from reference_players.search.playouts import first_player_connects, random_fill
from tests.bench.boards import SIZE, boards
from tests.bench.figures import Comparison, Effort, Report, compare
from tests.bench.peers import HEAPQ, OPENSPIEL
from tests.bench.plain_connection import plain_connection
from tests.bench.timing import cpu_of, repeated

PLAYOUTS = {Effort.FULL: 2000, Effort.QUICK: 100}
AT_ONCE = 4096
FILLS = (0, 20, 40)
"""The percentage of cells with a stone."""
POSITIONS = {Effort.FULL: 10, Effort.QUICK: 1}
ROUNDS = 5
ORACLE = Path(__file__).parent.parent / "games" / "data" / "desconecta4" / "alphabeta8.jsonl"


def report(effort: Effort) -> Report:
    rounds = effort.rounds(ROUNDS)
    found = (*playouts(PLAYOUTS[effort], rounds), *connections(rounds))
    return Report(alphabeta(POSITIONS[effort]), found)


def playouts(number: int, rounds: int) -> list[Comparison]:
    """A random playout of an empty board, compared with a simulation of a tree search (a playout and one step down)."""
    theirs = cpu_of(partial(openspiel_simulations, number))
    return [
        compare(
            f"a random playout of Hex {SIZE}×{SIZE} / a simulation of its C++ MCTS",
            cpu_of(partial(exact_fills, number)),
            theirs,
            OPENSPIEL,
            rounds,
        ),
        compare(f"… {AT_ONCE} playouts at once / the same", cpu_of(packed_fills), theirs, OPENSPIEL, rounds),
    ]


def exact_fills(number: int) -> int:
    grid, chance = hex_grid(SIZE, "axial"), random.Random(1)
    for _ in range(number):
        first_player_connects(grid, random_fill(grid.full, (SIZE * SIZE + 1) // 2, chance))
    return number


def packed_fills() -> int:
    fast, _ = boards(0)
    Percolation(Noise(geometry(fast), AT_ONCE, random.Random(1)), 0, 0).wins(1)
    return AT_ONCE


def openspiel_simulations(number: int) -> int:
    import pyspiel  # an extra

    game = pyspiel.load_game(f"hex(board_size={SIZE})")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    pyspiel.MCTSBot(game, evaluator, 1.4, number, 1000, False, 1, False).step(game.new_initial_state())
    return number


def connections(rounds: int) -> list[Comparison]:
    """The shortest connection of player 1 on boards with different fills."""
    return [connection(fill, rounds) for fill in FILLS]


def connection(fill: int, rounds: int) -> Comparison:
    fast, plain = boards(fill)
    ours = partial(shortest_connection, geometry(fast).grid, fast.stones(1), fast.stones(2), 1)
    return compare(
        f"the shortest connection, {fill} % full",
        cpu_of(repeated(ours, 500)),
        cpu_of(repeated(partial(plain_connection, plain, 1), 50)),
        HEAPQ,
        rounds,
    )


def alphabeta(positions: int) -> str:
    seconds = []
    for line in ORACLE.read_text(encoding="utf-8").splitlines()[:positions]:
        row = json.loads(line)
        environment = Environment()
        for action in row["actions"]:
            environment.apply(int(action))
        began = time.process_time()
        AlphaBetaPlayer(row["root"]).play(environment)
        seconds.append(time.process_time() - began)
    return (
        f"alphabeta, depth 8, on {len(seconds)} of the course's positions:"
        f" median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s of CPU"
    )
