"""What the referee and the walls cost: CPU per move in all processes, the start of a player, and growth over matches."""

import gc
import importlib.util
import os
import resource
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from tabulate import tabulate

from grader.engine.match import run_match
from grader.games.hex import Hex
from grader.referee import play_match
from grader.sandbox.limits import Limits
from grader.sandbox.machine import best_level
from grader.sandbox.process import PlayerProcess
from tests.sandbox.seats import HONEST, seating

ROUNDS = 9
STARTS = 25
MATCHES = 1000


def report() -> str:
    ours = [cpu_per_move() for _ in range(ROUNDS)]
    theirs = kaggle_step()
    best, typical = min(ours), median(ours)
    kaggle = "not installed" if theirs is None else f"{theirs:.2f} CPU-ms a step, {theirs / best:.0f} times ours"
    memory, descriptors = growth(MATCHES)
    rows = [
        ["referee, per move, both players and the grader", f"{best:.3f} CPU-ms (median of {ROUNDS}: {typical:.3f})"],
        ["kaggle-environments, connectx, per step, in one process", kaggle],
        *(
            [f"start of a player {what}", started(starts(before))]
            for what, before in (("without numpy", ""), ("with numpy", "import numpy\n"))
        ),
        [f"growth over {MATCHES} matches", f"{memory} KB of memory, {descriptors} descriptors"],
    ]
    return f"Isolation {best_level()}, Hex, players that play the first free cell\n\n{tabulate(rows, tablefmt='plain')}"


def cpu_per_move() -> float:
    """CPU-ms of a move: the grader's and both players' processes, from the first move of a match to its last."""
    game, marks = Hex(11), list[float]()
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(PlayerProcess(seating(HONEST, number), game, Limits())) for number in (1, 2)
        )

        def used(*_: Any) -> None:
            marks.append(time.process_time() + sum(time.clock_gettime(~seat.pid << 3 | 2) for seat in (first, second)))

        play_match(game, (first, second), seed=0, watch=used)
    return (marks[-1] - marks[0]) / (len(marks) - 1) * 1000


def kaggle_step() -> float | None:
    """CPU-ms of a step of connectx between two agents that play the first column that is free."""
    if importlib.util.find_spec("kaggle_environments") is None:
        return None
    from kaggle_environments import make  # type: ignore[import-not-found]  # an extra

    def first_free(observation: Any) -> int:
        return next(column for column in range(7) if observation.board[column] == 0)

    best = float("inf")
    for _ in range(ROUNDS):
        environment = make("connectx")
        before = time.process_time()
        environment.run([first_free, first_free])
        best = min(best, (time.process_time() - before) / (len(environment.steps) - 1) * 1000)
    return best


def started(times: list[tuple[float, float]]) -> str:
    wall, cpu = ([time[part] for time in times] for part in (0, 1))
    return f"{min(wall):.0f} ms (median of {STARTS}: {median(wall):.0f}), {min(cpu):.0f} CPU-ms of it in its process"


def starts(before: str) -> list[tuple[float, float]]:
    """Milliseconds of wall from nothing to a player that is ready to move, and of CPU in its process."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "solution.py")
        file.write_text(before + HONEST.read_text(encoding="utf-8"), encoding="utf-8")
        return [timed(file) for _ in range(STARTS)]


def timed(file: Path) -> tuple[float, float]:
    began = time.perf_counter()
    seat = ready(file)
    wall, cpu = time.perf_counter() - began, time.clock_gettime(~seat.pid << 3 | 2)
    seat.close()
    return wall * 1000, cpu * 1000


def ready(file: Path) -> PlayerProcess:
    seat = PlayerProcess(seating(file), Hex(11), Limits())
    fault = seat.load()
    assert fault is None, fault
    return seat


def growth(matches: int) -> tuple[int, int]:
    """How much memory and how many descriptors the grader has more after so many matches than after the first few."""
    play(20)
    memory, descriptors = taken()
    play(matches)
    memory_after, descriptors_after = taken()
    return memory_after - memory, descriptors_after - descriptors


def play(matches: int) -> None:
    game = Hex(2)
    for seed in range(matches):
        run_match(game, (seating(HONEST, 1), seating(HONEST, 2)), Limits(), seed=seed)


def taken() -> tuple[int, int]:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() // 1024, len(os.listdir("/proc/self/fd"))  # noqa: PTH208  the descriptor counts
