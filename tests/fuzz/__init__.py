"""Whatever reads foreign bytes, given bytes that nobody wrote.

`targets` says what must hold for any bytes. `test_targets` tries it with hypothesis and with the inputs that once broke
something (tests/fuzz/data); `python -m tests.fuzz TARGET SECONDS` searches for more of them, guided by coverage.
"""
