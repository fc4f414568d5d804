"""Wait for something that must happen, on machines that may be slow."""

import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds after which something that has not happened will not happen."""


def becomes_true(condition: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Wait until a condition is true. Returns whether it became true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until a condition is true, or fail."""
    assert becomes_true(condition, seconds), f"the condition was not true within {seconds:g} s"
