"""How fast the parts of the reference players are, against what others would use for them."""

import json
import random
import statistics
import time
from importlib.util import find_spec
from pathlib import Path

from tabulate import tabulate

from grader.games.desconecta4 import Environment
from grader.games.hex_grid import hex_grid
from reference_players.alphabeta import AlphaBetaPlayer
from reference_players.search.connection import shortest_connection
from reference_players.search.geometry import geometry
from reference_players.search.percolation import Noise, Percolation
from reference_players.search.playouts import first_player_connects, random_fill
from tests.bench.boards import boards
from tests.bench.plain_connection import plain_connection
from tests.bench.timing import best_of

SIZE = 11
FILLS = 2000
ORACLE = Path(__file__).parent.parent / "data" / "desconecta4" / "alphabeta8.jsonl"


def report() -> str:
    return "\n\n".join([playouts(), connections(), alphabeta()])


def playouts() -> str:
    title = f"Random playouts of an empty {SIZE}×{SIZE} board, a second"
    if find_spec("pyspiel") is None:
        ours, packed = best_of([exact_fills, packed_fills])
        rows = [["ours, exact", FILLS / ours], ["ours, 4096 at once", 4096 / packed]]
        return f"{title}\n\n{tabulate(rows, floatfmt='.0f')}\n\nOpenSpiel is not installed: no ratio (extra [bench])"
    ours, packed, theirs = best_of([exact_fills, packed_fills, openspiel_simulations], rounds=3)
    rows = [
        ["OpenSpiel's C++ MCTS", FILLS / theirs, 1.0],
        ["ours, exact", FILLS / ours, theirs / ours],
        ["ours, 4096 at once", 4096 / packed, 4096 / packed * theirs / FILLS],
    ]
    return f"{title}\n\n{tabulate(rows, ['', 'a second', 'ratio'], floatfmt=('', '.0f', '.1f'))}"


def exact_fills() -> None:
    grid, rng = hex_grid(SIZE, "axial"), random.Random(1)
    for _ in range(FILLS):
        first_player_connects(grid, random_fill(grid.full, (SIZE * SIZE + 1) // 2, rng))


def packed_fills() -> None:
    fast, _ = boards(0)
    Percolation(Noise(geometry(fast), 4096, random.Random(1)), 0, 0).won(1)


def openspiel_simulations() -> None:
    import pyspiel  # type: ignore[import-not-found]  # an extra

    game = pyspiel.load_game(f"hex(board_size={SIZE})")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, FILLS, 1000, False, 1, False)
    bot.step(game.new_initial_state())


def connections() -> str:
    rows = []
    for fill in (0, 20, 40):
        fast, plain = boards(fill)
        grid, one, two = geometry(fast).grid, fast.stones(1), fast.stones(2)

        def ours(grid=grid, one=one, two=two) -> None:
            for _ in range(100):
                shortest_connection(grid, one, two, 1)

        def theirs(plain=plain) -> None:
            for _ in range(10):
                plain_connection(plain, 1)

        quick, slow = best_of([ours, theirs])
        rows.append([f"{fill} %", quick * 1e4, slow * 1e5, slow * 10 / quick])
    headers = ["full", "waves, µs", "heapq, µs", "ratio"]
    return f"Shortest connection on {SIZE}×{SIZE}\n\n{tabulate(rows, headers, floatfmt='.1f')}"


def alphabeta() -> str:
    seconds = []
    for line in ORACLE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        environment = Environment()
        for action in row["actions"]:
            environment.apply(int(action))
        started = time.process_time()
        AlphaBetaPlayer(row["root"]).play(environment)
        seconds.append(time.process_time() - started)
    return (
        f"alphabeta, depth 8, on the course's {len(seconds)} positions:"
        f" median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s of CPU"
    )
