"""The figures that the README claims, beside those of peers, in one run: `python -m tests.bench`."""
