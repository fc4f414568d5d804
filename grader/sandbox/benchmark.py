"""The benchmark of a core, in a process of its own: what players do, in three parts of about half a second each.

The process says `ready`, waits for a line, runs the parts, and prints as JSON the best time of a round of each. `speed` starts it
and measures from outside how much of the core it got. No student's code runs in it.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

VERSION = 1
"""Increase it when the work or its reference times change: older figures cannot be compared with new ones."""

REFERENCE_SECONDS = {"bitboard": 0.0468, "loops": 0.0470, "numpy": 0.0450}
"""The time of a round of each part at speed 1.0: on one core of a cloud machine of 2026 (AMD EPYC, Zen 4) with Python 3.11."""
PART_SECONDS = 0.55
"""How long the rounds of a part are repeated. The best round counts, so that other load hardly matters."""
_MIN_ROUNDS = 3

_SIZE = 11
_ALL = (1 << _SIZE * _SIZE) - 1
_NOT_LEFT = sum(1 << cell for cell in range(_SIZE * _SIZE) if cell % _SIZE)
_NOT_RIGHT = sum(1 << cell for cell in range(_SIZE * _SIZE) if cell % _SIZE != _SIZE - 1)
_TOP = (1 << _SIZE) - 1


def main() -> None:
    """Run the benchmark. Arguments: the folder of the grader, the core or '', and the folders of installed packages."""
    core, packages = sys.argv[2], sys.argv[3:]
    sys.path += packages
    if core and hasattr(os, "sched_setaffinity"):
        with suppress(OSError):  # the core has gone offline
            os.sched_setaffinity(0, {int(core)})
    parts = _parts()
    _send("ready")
    sys.stdin.readline()
    _send(json.dumps({name: _best_round(part) for name, part in parts.items()}))
    sys.stdin.read()  # its clock is read before it ends


def _send(line: str) -> None:
    os.write(1, f"{line}\n".encode("ascii"))


def _parts() -> dict[str, Callable[[], Any]]:
    import numpy  # here: the grader imports this module only for its constants

    return {"bitboard": _bitboard_round, "loops": _loops_round, "numpy": lambda: _numpy_round(numpy)}


def _best_round(part: Callable[[], Any]) -> float:
    clock = time.perf_counter if sys.platform == "win32" else time.process_time  # there it counts in steps of 16 ms
    part()
    times: list[float] = []
    while len(times) < _MIN_ROUNDS or sum(times) < PART_SECONDS:
        began = clock()
        part()
        times.append(clock() - began)
    return min(times)


def _bitboard_round() -> int:
    """Which of many random stones are connected to the top row, on integers with 121 bits as in the games' own code."""
    state, found = 20260531, 0
    for _ in range(10_000):
        stones = 0
        for _ in range(4):
            state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
            stones = stones << 31 | state >> 33
        stones &= _ALL
        reached = stones & _TOP
        while True:
            right, left = (reached & _NOT_RIGHT) << 1, (reached & _NOT_LEFT) >> 1
            grown = (
                reached | right | left | reached << _SIZE | reached >> _SIZE | left << _SIZE | right >> _SIZE
            ) & stones
            if grown == reached:
                break
            reached = grown
        found += reached.bit_count()
    return found


def _loops_round() -> int:
    """A search as students write it: lists of lists, dictionaries, tuples, a queue, and a function call for each cell."""
    found = 0
    for turn in range(100):
        board = [[(row * 7 + column * 3 + turn) % 5 % 3 for column in range(_SIZE)] for row in range(_SIZE)]
        for player in (1, 2):
            distances = {(row, 0): 0 for row in range(_SIZE) if board[row][0] != player}
            queue = list(distances)
            while queue:
                cell = queue.pop(0)
                for neighbour in _neighbours(cell[0], cell[1]):
                    cost = distances[cell] + _cost(board, neighbour, player)
                    if cost < distances.get(neighbour, 9):
                        distances[neighbour] = cost
                        queue.append(neighbour)
            found += min((distances.get((row, _SIZE - 1), 9) for row in range(_SIZE)), default=9)
    return found


def _neighbours(row: int, column: int) -> list[tuple[int, int]]:
    neighbours = []
    for down, right in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)):
        if 0 <= row + down < _SIZE and 0 <= column + right < _SIZE:
            neighbours.append((row + down, column + right))
    return neighbours


def _cost(board: list[list[int]], cell: tuple[int, int], player: int) -> int:
    stone = board[cell[0]][cell[1]]
    if stone == player:
        return 0
    return 1 if stone == 0 else 3


def _numpy_round(numpy: Any) -> float:
    """Many operations on arrays of the size of a board, and some on large ones."""
    total = 0.0
    board = numpy.arange(_SIZE * _SIZE, dtype=numpy.int64).reshape(_SIZE, _SIZE) % 3
    for turn in range(1100):
        own = board == turn % 3
        padded = numpy.zeros((_SIZE + 2, _SIZE + 2), dtype=numpy.int64)
        padded[1:-1, 1:-1] = own
        near = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
        total += float(numpy.where(own, near, 0).sum()) + int(near.argmax())
    values = numpy.arange(150_000, dtype=numpy.float64)
    for turn in range(10):
        scores = numpy.sqrt(values + turn) * 0.5 + numpy.cumsum(values % 7)
        total += float(scores[numpy.argsort(-scores[:20_000])[0]]) + float(scores.max())
    return total
