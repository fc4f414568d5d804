"""How many cores of this machine are idle while the grader waits."""

import time
from collections.abc import Sequence

from grader.sandbox.clock import CoreUse


class IdleCores:
    """Measures how much of some cores other processes leave idle. It counts the grader's players among these."""

    def __init__(self, cores: Sequence[int]) -> None:
        self._cores = cores
        self._began, self._uses = self._begin()

    def since_last(self) -> float | None:
        """How many cores were idle on average since the last call; None where the system does not tell."""
        seconds = time.monotonic() - self._began
        used = [use.by_others(0.0) for use in self._uses]
        self._began, self._uses = self._begin()
        known = [each for each in used if each is not None]
        if not known or len(known) < len(used) or not seconds:
            return None
        return sum(max(0.0, 1 - each / seconds) for each in known)

    def _begin(self) -> tuple[float, list[CoreUse]]:
        return time.monotonic(), [CoreUse(core) for core in self._cores]
