"""What these tests share: orphans that are seen, and the results of a class with which nobody interferes."""

import pytest

from tests.faults import disturbed
from tests.sandbox.conftest import _adopt_orphans  # noqa: F401  a fixture for all


@pytest.fixture(scope="session")
def calm(made_once):
    return (made_once("calm", disturbed.undisturbed) / "calm" / "results.json").read_bytes()
