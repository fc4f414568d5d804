"""Preloaded into a worker whose machine offers little to wall players in."""

from grader.engine.cluster import worker
from grader.sandbox.isolation import Level

vars(worker)["best_level"] = lambda: Level.BASIC
