"""Orphans of these tests become children of the test process, so that one left behind is detected."""

from tests.sandbox.conftest import _adopt_orphans

__all__ = ["_adopt_orphans"]
