"""Loaded by dask in a scheduler or worker that the grader starts: close the web server, which dask opens in any case."""

from typing import Any


def dask_setup(server: Any) -> None:
    """Called by dask when the scheduler or worker starts."""
    server.http_server.stop()
