"""Fixtures of the sandbox tests: orphaned processes are detected, and the machine may be busy with other tests."""

import ctypes
import sys

import pytest

from grader.engine import match

_PR_SET_CHILD_SUBREAPER = 36


@pytest.fixture(scope="session", autouse=True)
def _adopt_orphans():
    """Orphans of these tests become children of the test process, so that one left behind is detected."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@pytest.fixture(autouse=True)
def _play_even_if_starved(monkeypatch):
    """Tests run in parallel and starve each other. That starved games are played again is tested with made-up records."""
    monkeypatch.setattr(match, "STARVED_SECONDS", 100.0)
