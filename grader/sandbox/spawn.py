"""Start a new interpreter for code that is not trusted: with a clean environment, and out of reach of Ctrl-C."""

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import IO, Any

from grader.errors import GraderFault
from grader.language import say
from grader.sandbox.file_access import ROOT, interpreter, program

PATIENCE = 60.0
"""Seconds that the grader's own code in a process may take to start or to end."""
_CREATE_NEW_PROCESS_GROUP = 0x200
"""A flag of Windows: the new process ignores Ctrl-C. `subprocess` has its name only there."""


def spawn(command: list[str], **more: Any) -> subprocess.Popen[bytes]:
    """Start a process with a clean environment. Raises `GraderFault` if the program does not exist."""
    try:
        return subprocess.Popen(  # noqa: S603  our own interpreter, or bubblewrap, by its full path
            command,
            stderr=subprocess.PIPE,
            cwd=None if sys.platform == "win32" else os.sep,
            env=clean_environment(),
            **more,
            **out_of_reach_of_ctrl_c(),
        )
    except FileNotFoundError as missing:
        raise GraderFault(
            say("A player's process could not be started: {file} does not exist.", file=str(missing.filename))
        ) from missing


def clean_environment() -> dict[str, str]:
    """The environment variables of a process that has to do with students' code."""
    inherited = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}  # required by Windows
    threads = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")}
    return {
        **inherited,
        **threads,
        "LANG": "C.UTF-8",
        "MALLOC_ARENA_MAX": "2",  # else each thread reserves 64 MB of its limited address space
        "PYTHONHASHSEED": "0",
        "PYTHONUNBUFFERED": "1",  # so that its output can be read even if it is killed
        "PYTHONUTF8": "1",
    }


def out_of_reach_of_ctrl_c(platform: str = sys.platform) -> dict[str, Any]:
    """Arguments of `Popen` for a process that Ctrl-C at the terminal does not reach: it is for the grader alone."""
    if platform == "win32":
        return {"creationflags": _CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


class FreshProcess:
    """A player's process in an interpreter of its own, for levels at which it could harm a template, and other systems."""

    def __init__(self) -> None:
        self._process = spawn(
            [*interpreter(), "-c", program("worker"), str(ROOT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0 if hasattr(select, "poll") else -1,
        )
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self.pipes: tuple[IO[bytes], IO[bytes], IO[bytes]] = (
            *(self._process.stdin, self._process.stdout, self._process.stderr),
        )
        """For orders, replies and output."""
        self.pid = self._process.pid
        self._handle = os.pidfd_open(self.pid) if sys.platform == "linux" else None

    def signal(self, number: int) -> None:
        """Send a signal to it and to its children, unless they have ended."""
        if sys.platform == "win32":
            return
        if self._handle is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, number)
        # Its children are in its process group. The group's number cannot be reused until the process has been waited for,
        # which is done at the very end.
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    def status(self, patience: float = 0.0) -> int | None:
        """Its exit status, negative for a signal; None while it is running. On Linux it is not reaped: its number stays its own."""
        if sys.platform != "linux" or self._process.returncode is not None:
            try:
                return self._process.wait(patience)
            except subprocess.TimeoutExpired:
                return None
        deadline = time.monotonic() + patience
        while (ended := os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)) is None:
            if time.monotonic() >= deadline:
                return None
            time.sleep(0.005)
        return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status

    def kill(self) -> None:
        """End it, and wait until it has ended."""
        if sys.platform != "win32":
            self.signal(signal.SIGKILL)
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close our descriptors, but not the pipes. It must have ended."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
