"""Settings that keep everyone else out of a cluster that the grader starts: certificates for one run, and no web server.

The scheduler, the workers and the grader show each other the certificate, and refuse a connection from anyone who does not
have its key. The key is only in the memory of these processes: dask's settings hold it, and the environment of Slurm jobs.
"""

import shlex
from typing import Any

_NO_WEB_SERVER = "grader.engine.cluster.no_web_server"


def private_settings() -> dict[str, Any]:
    """Dask's settings for a cluster of this run only: all its connections are encrypted and need a new certificate."""
    from distributed.security import Security

    made = Security.temporary()
    pair = {"cert": made.tls_ca_file, "key": made.tls_client_key}
    roles = ("client", "scheduler", "worker")
    return {
        "distributed.comm.require-encryption": True,
        "distributed.comm.tls.ca-file": made.tls_ca_file,
        **{f"distributed.comm.tls.{role}.{part}": text for role in roles for part, text in pair.items()},
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
    }


def without_web_servers() -> dict[str, Any]:
    """Dask's settings that close the ports of web servers, on machines that have this grader."""
    return {"distributed.scheduler.preload": [_NO_WEB_SERVER], "distributed.worker.preload": [_NO_WEB_SERVER]}


def as_environment(settings: dict[str, Any]) -> list[str]:
    """Shell commands that give dask these settings on another machine."""
    return [f"export {_variable(name)}={shlex.quote(repr(value))}" for name, value in settings.items()]


def _variable(name: str) -> str:
    return f"DASK_{name.replace('.', '__').replace('-', '_').upper()}"
