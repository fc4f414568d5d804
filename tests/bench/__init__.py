"""Benchmarks: measure the figures that the documents claim, next to those of peers: `python -m tests.bench`."""
