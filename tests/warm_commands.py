"""Run commands of the grader in forks of a process that has imported it: importing it takes longer than most commands.

Each command has its own process as ever, with its own arguments, folder, environment and standard streams. `WarmCommands` is the
tests' side, and this module's main program the server.
"""

import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from grader.reports.html import templates

MODULES = ("grader.cli", "grader.workflow", "grader.checks", "grader.engine.match", "rich.console", "rich.progress")
"""What is imported beforehand. The modules of commands are not: click's names are translated when these are imported."""
PROJECT = Path(__file__).parent.parent


class WarmCommands:
    """The server, and the requests to it."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", "tests.warm_commands", str(theirs.fileno())]
        with theirs:
            self._server = subprocess.Popen(command, cwd=PROJECT, pass_fds=[theirs.fileno()])

    def run(
        self,
        arguments: Sequence[str],
        cwd: Path | None,
        environment: Mapping[str, str],
        streams: tuple[int, int, int],
        timeout: float,
    ) -> int:
        """Run a command with these descriptors as its streams. Returns its exit status as `subprocess` gives it.

        Raises `subprocess.TimeoutExpired` after killing it.
        """
        order = {"arguments": arguments, "cwd": str(cwd or Path.cwd()), "environment": dict(environment)}
        status, theirs = os.pipe()
        try:
            socket.send_fds(self._control, [json.dumps(order).encode()], [*streams, theirs])
        finally:
            os.close(theirs)
        with os.fdopen(status, encoding="ascii") as answer:
            pid = int(answer.readline())
            if not select.select([answer], [], [], timeout)[0]:
                os.kill(pid, signal.SIGKILL)
                raise subprocess.TimeoutExpired(list(arguments), timeout)
            return int(answer.readline())

    def close(self) -> None:
        """End the server."""
        self._control.close()
        self._server.wait()


def serve(control: socket.socket) -> None:
    """Fork a command for each request. Returns in the process of a command, with everything set up for it."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        message, descriptors, *_ = socket.recv_fds(control, 1 << 20, 4)
        if not message:
            os._exit(0)
        if os.fork() == 0:
            control.close()
            _fork_command(descriptors)
            order = json.loads(message)
            os.chdir(order["cwd"])
            os.environ.clear()
            os.environ.update(order["environment"])
            sys.argv[1:], sys.path[0] = order["arguments"], order["cwd"]
            return
        for descriptor in descriptors:
            os.close(descriptor)


def _fork_command(descriptors: Sequence[int]) -> None:
    """Fork once more and return in the new process; this one reports its number and its exit status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    status = descriptors[3]
    pid = os.fork()
    if pid:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command
        os.closerange(0, status)
        os.write(status, b"%d\n" % pid)
        os.write(status, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        os._exit(0)
    for target, descriptor in enumerate(descriptors[:3]):
        os.dup2(descriptor, target)
    for descriptor in descriptors:
        os.close(descriptor)


if __name__ == "__main__":
    for name in MODULES:
        import_module(name)
    for name in templates().list_templates(["j2"]):
        templates().get_template(name)
    gc.freeze()
    serve(socket.socket(fileno=int(sys.argv[1])))
    runpy.run_module("grader", run_name="__main__", alter_sys=True)
