"""Players that misbehave on purpose, each bounded by itself, and an honest one. `tests/sandbox/test_hostile.py` plays them."""
