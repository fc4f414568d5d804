"""Players that misbehave on purpose, each within limits of its own, and an honest one. `tests/sandbox/test_hostile.py` plays them."""
