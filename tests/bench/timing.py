"""Time several things against each other on a noisy machine."""

import time
from collections.abc import Callable, Sequence

ROUNDS = 7


def best_of(things: Sequence[Callable[[], object]], rounds: int = ROUNDS) -> list[float]:
    """Seconds of the fastest run of each, taken in turns so that a slow moment hits all of them."""
    best = [float("inf")] * len(things)
    for _ in range(rounds):
        for at, thing in enumerate(things):
            start = time.perf_counter()
            thing()
            best[at] = min(best[at], time.perf_counter() - start)
    return best
