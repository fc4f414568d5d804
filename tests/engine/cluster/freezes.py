"""Preloaded into a worker that freezes while it reports its facts, until it gets SIGCONT."""

import os
import signal

from grader.engine.cluster import worker
from grader.sandbox.isolation import Level
from grader.sandbox.machine import best_level


def _best_level() -> Level:
    os.kill(os.getpid(), signal.SIGSTOP)
    return best_level()


vars(worker)["best_level"] = _best_level
