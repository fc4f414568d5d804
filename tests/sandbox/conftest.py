"""Orphans of these tests become children of the test process, so that one left behind is seen."""

import ctypes
import sys

import pytest

_PR_SET_CHILD_SUBREAPER = 36


@pytest.fixture(scope="session", autouse=True)
def _adopt_orphans():
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
