"""Wait for what must come, on machines that may be slow."""

import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds after which what is waited for will not come any more."""


def comes(it_is_so: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Whether it comes true, as soon as it does."""
    end = time.monotonic() + seconds
    while not it_is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def wait_until(it_is_so: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Fails if it takes too long."""
    assert comes(it_is_so, seconds), f"it did not come true in {seconds:g} s"
