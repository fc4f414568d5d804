"""Fixtures of these tests: orphaned processes are detected, and the results of an undisturbed run are available."""

import pytest

from tests.faults import disturbed
from tests.sandbox.conftest import _adopt_orphans  # noqa: F401  a fixture for all


@pytest.fixture(scope="session")
def calm(made_once):
    return (made_once("calm", disturbed.undisturbed) / "calm" / "results.json").read_bytes()
