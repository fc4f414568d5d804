"""Fuzz everything that reads untrusted bytes.

`targets` defines what must hold for any bytes. `test_targets` checks it with hypothesis and with inputs that once caused
errors (tests/fuzz/data); `python -m tests.fuzz TARGET SECONDS` searches for more such inputs, guided by coverage.
"""
