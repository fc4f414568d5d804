"""Preloaded into a worker whose machine offers only a low isolation level."""

from grader.engine.cluster import worker
from grader.sandbox.isolation import Level

vars(worker)["best_level"] = lambda: Level.BASIC
