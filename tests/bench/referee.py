"""The cost of the referee and the sandbox: CPU time per move in all processes, starting a player, and growth over matches."""

import gc
import os
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from tabulate import tabulate

from grader.engine.match import run_match
from grader.games import Game
from grader.games.desconecta4 import Desconecta4
from grader.games.hex import Hex
from grader.referee import play_match
from grader.sandbox.limits import Limits
from grader.sandbox.machine import best_level
from grader.sandbox.process import PlayerProcess
from grader.sandbox.templates import close_idle
from tests.bench.figures import Comparison, Effort, Report, compare
from tests.bench.peers import KAGGLE
from tests.bench.timing import cpu_of_all, repeated
from tests.sandbox.seats import HONEST, seating

ROUNDS = 9
GAMES = 10
"""Whole games per round."""
CORE = max(os.sched_getaffinity(0))
LIMITS = Limits(core=CORE)
STARTS = {Effort.FULL: 25, Effort.QUICK: 2}
MATCHES = {Effort.FULL: 1000, Effort.QUICK: 10}
FIRST_COLUMN = """
class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, environment):
        return environment.possible_actions()[0]
"""


def report(effort: Effort) -> Report:
    os.sched_setaffinity(0, {CORE})  # as a worker of the engine does
    memory, descriptors = growth(MATCHES[effort])
    rows = [
        *(
            [f"start of a player {what}", start_summary(measure_starts(libraries, STARTS[effort]))]
            for what, libraries in (("without numpy", ()), ("with numpy", ("numpy",)))
        ),
        [f"growth over {MATCHES[effort]} matches", f"{memory} KB of memory, {descriptors} descriptors"],
    ]
    rounds = effort.rounds(ROUNDS)
    found = (*whole_games(rounds), *moves(rounds))  # last, because a peer's imports would slow down the rest
    title = f"Isolation level {best_level()}, players that choose the first free cell or column"
    return Report(f"{title}\n\n{tabulate(rows, tablefmt='plain')}", found)


def whole_games(rounds: int) -> tuple[Comparison, ...]:
    """A whole game between two trivial players, from starting both to ending them: ours in sandboxes, in all processes.

    The peer's game is a run in an environment that has already been made, with functions in its own process.
    """
    with first_free_players() as players:
        return tuple(
            compare(
                f"a game of {game.title} at {best_level()}, all processes / connectx, one process",
                cpu_of_all(repeated(partial(play_one, game, file), GAMES)),
                kaggle_game,
                KAGGLE,
                rounds,
            )
            for game, file in players
        )


def play_one(game: Game, file: Path) -> None:
    record = run_match(game, (seating(file, 1), seating(file, 2)), LIMITS, seed=0)
    assert record.fault is None, record.fault


@contextmanager
def first_free_players() -> Iterator[list[tuple[Game, Path]]]:
    """For each game, a player that chooses the first free cell or column."""
    with TemporaryDirectory() as folder:
        column = Path(folder, "solution.py")
        column.write_text(FIRST_COLUMN, encoding="utf-8")
        yield [(Hex(11), HONEST), (Desconecta4(), column)]


def moves(rounds: int) -> tuple[Comparison, ...]:
    """A move between two trivial players: ours in sandboxes, the peer's as functions in its own process.

    Measured from the first move to the last, without starting the players.
    """
    with first_free_players() as players:
        return tuple(
            compare(
                f"a move of {game.title}, three processes / connectx, one",
                partial(cpu_per_move, game, file),
                kaggle_step,
                KAGGLE,
                rounds,
            )
            for game, file in players
        )


def cpu_per_move(game: Game, file: Path) -> float:
    """CPU seconds per move of the grader's and both players' processes, from the first move of a match to the last."""
    readings = list[float]()
    with ExitStack() as stack:
        first, second = (stack.enter_context(PlayerProcess(seating(file, number), game, LIMITS)) for number in (1, 2))

        def read_clocks(*_: Any) -> None:
            readings.append(
                time.process_time() + sum(time.clock_gettime(~seat.pid << 3 | 2) for seat in (first, second))
            )

        record = play_match(game, (first, second), seed=0, watch=read_clocks)
    assert record.fault is None, record.fault
    return (readings[-1] - readings[0]) / (len(readings) - 1)


def kaggle_step() -> float:
    """CPU seconds per step of connectx between two agents that choose the first free column."""
    seconds, steps = play_connectx()
    return seconds / steps


def kaggle_game() -> float:
    """CPU seconds of the whole game."""
    return play_connectx()[0]


def play_connectx() -> tuple[float, int]:
    """CPU seconds and number of steps of a game."""
    with redirect_stdout(sys.stderr):  # it prints which of its games it could not load
        from kaggle_environments import make  # an extra

    def first_free(observation: Any) -> int:
        return next(column for column in range(7) if observation.board[column] == 0)

    environment = make("connectx")
    before = time.process_time()
    environment.run([first_free, first_free])
    return time.process_time() - before, len(environment.steps) - 1


def start_summary(times: list[tuple[float, float]]) -> str:
    (first, _), *others = times
    wall, cpu = ([time[part] for time in others] for part in (0, 1))
    return (
        f"{min(wall):.0f} ms (median of {len(others)}: {median(wall):.0f}), {min(cpu):.0f} CPU-ms of it in its process; "
        f"the first, with its template: {first:.0f} ms"
    )


def measure_starts(libraries: tuple[str, ...], number: int) -> list[tuple[float, float]]:
    """Wall milliseconds until a new player is ready to move, and CPU milliseconds of its process."""
    close_idle()
    with TemporaryDirectory() as folder:
        file = Path(folder, "solution.py")
        imports = "".join(f"import {library}\n" for library in libraries)
        file.write_text(imports + HONEST.read_text(encoding="utf-8"), encoding="utf-8")
        return [measure_start(file, libraries) for _ in range(number + 1)]


def measure_start(file: Path, libraries: tuple[str, ...]) -> tuple[float, float]:
    began = time.perf_counter()
    with PlayerProcess(seating(file, preload=libraries), Hex(11), LIMITS) as player:
        fault = player.load()
        assert fault is None, fault
        return (time.perf_counter() - began) * 1000, player.cpu() * 1000


def growth(matches: int) -> tuple[int, int]:
    """How many kilobytes and descriptors more the grader uses after this number of matches than after the first few."""
    play(20)
    memory, descriptors = resources()
    play(matches)
    memory_after, descriptors_after = resources()
    return memory_after - memory, descriptors_after - descriptors


def play(matches: int) -> None:
    game = Hex(2)
    for seed in range(matches):
        run_match(game, (seating(HONEST, 1), seating(HONEST, 2)), LIMITS, seed=seed)


def resources() -> tuple[int, int]:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() // 1024, len(os.listdir("/proc/self/fd"))  # noqa: PTH208  includes the descriptor of this call
