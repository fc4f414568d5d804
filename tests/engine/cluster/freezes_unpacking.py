"""Preloaded into a worker that freezes when it receives a submission."""

import os
import signal
from typing import Any

from grader.engine.cluster import worker


def _unpack(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


vars(worker)["unpack"] = _unpack
