"""Preloaded into a worker that soon assumes that its grader is dead."""

from grader.engine.cluster import worker

vars(worker).update(SESSION_TIMEOUT=1.0, _CHECK_INTERVAL=0.5)
