"""The number of the move that each worker has reached, in memory that it shares with the grader.

Counting a move writes one number, after the clock of the move has stopped: no lock, no message, nothing to clean up.
"""

from collections.abc import Callable, MutableSequence
from functools import partial
from multiprocessing.context import BaseContext

_GAME = 1 << 32
"""One number holds the game and, below this, the move."""


class MoveCounts:
    """For each worker, the game of its current unit and the move in it."""

    def __init__(self, context: BaseContext, workers: int) -> None:
        self._numbers: MutableSequence[int] | None
        try:
            self._numbers = context.RawArray("q", workers)
        except OSError:  # there is no room for shared memory, and the games do not need it
            self._numbers = None

    def reset(self, worker: int) -> None:
        """Begin a new unit."""
        if self._numbers is not None:
            self._numbers[worker] = 0

    def reached(self, worker: int) -> tuple[int, int]:
        """The game of the unit, counted from 0, and the number of moves played in it."""
        return divmod(self._numbers[worker], _GAME) if self._numbers is not None else (0, 0)

    def counter(self, worker: int) -> "CountMove":
        """What the worker calls after each move. It can be passed to a new process."""
        return partial(_count, self._numbers, worker)


CountMove = Callable[[int, int], None]
"""Called after each move with the game of the unit, counted from 0, and the number of moves played in it."""


def _count(numbers: MutableSequence[int] | None, worker: int, game: int, move: int) -> None:
    if numbers is not None:
        numbers[worker] = game * _GAME + move
