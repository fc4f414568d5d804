"""Start a player's process, a clean interpreter that isolates itself, and control it: freeze, resume and end it."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any

from grader.errors import GraderFault
from grader.language import say
from grader.sandbox import worker  # noqa: F401  so that its bytecode is cached: a player's process writes none
from grader.sandbox.channel import channel_to
from grader.sandbox.control_group import PlayerGroup, group_offer
from grader.sandbox.file_access import BOOTSTRAP, OWN_SCRATCH, ROOT, FileAccess, allowed_files, bubblewrap, interpreter
from grader.sandbox.isolation import IsolationOrder, Level, achieved_level
from grader.sandbox.limits import Limits
from grader.sandbox.protocol import Packet, ProtocolError, clean, decode, encode
from grader.sandbox.scratch import Scratch

_PATIENCE = 60.0
"""Seconds that the grader's own code in a process may take to start or to end."""
_CREATE_NEW_PROCESS_GROUP = 0x200
"""A flag of Windows: the new process ignores Ctrl-C. `subprocess` has its name only there."""


class SandboxProcess:
    """An isolated process that waits for its first order, frozen. No student's code has run in it yet."""

    def __init__(self, level: Level, limits: Limits, own: tuple[str, ...]) -> None:
        self._namespaced = level is Level.STRONG
        self._player: int | None = None
        """A descriptor of the process that runs the player."""
        self._last: int | None = None
        """A descriptor of the process that ends last: the namespace's first, or the player itself."""
        self._group: PlayerGroup | None = None
        self.level = Level.NONE
        """Its actual isolation level, which it reported before any student's code ran in it."""
        # Inside namespaces a player that may write has a file system of its own; elsewhere it gets a folder of ours.
        self._scratch = Scratch() if limits.scratch_mb and not self._namespaced else None
        writable = self._scratch.folder if self._scratch else OWN_SCRATCH if limits.scratch_mb else None
        access = allowed_files(own, writable)
        try:
            self._process, info_read = _spawn(level, limits, own, access, writable)
        except BaseException:
            self._release()
            raise
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self.channel = channel_to(
            self._process.stdin, self._process.stdout, self._process.stderr, limits.output_kb * 1024
        )
        try:
            self.channel.send(encode({"isolation": _isolation_order(level, limits, access, writable)}))
            steps = [step for step in self._first_reply().get("isolation", []) if isinstance(step, str)]
            self.level = achieved_level([*steps, *(["bubblewrap"] if self._has_own_files(steps, limits) else [])])
            pid = self._process.pid
            first, self.pid = (pid, pid) if info_read is None else _bubblewrap_pids(info_read)
            if sys.platform == "linux":
                self._player, self._last = os.pidfd_open(self.pid), os.pidfd_open(first)
            self._group = _own_group(level, limits)
            if self._group is not None:
                self._group.add(self.pid)
        except BaseException:
            self.close()
            raise
        finally:
            if info_read is not None:
                os.close(info_read)
        self.freeze()

    def _has_own_files(self, steps: list[str], limits: Limits) -> bool:
        """Whether it is inside namespaces, in which also its scratch folder, if it has one, is limited."""
        return self._namespaced and ("scratch" in steps or not limits.scratch_mb)

    def freeze(self) -> None:
        """Freeze the player, so that it cannot think while the other side is to move."""
        if sys.platform != "win32":
            self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Resume the player."""
        if sys.platform != "win32":
            self._signal(signal.SIGCONT)

    def status(self, patience: float = 0.0) -> int | None:
        """Its exit status, negative for a signal; None while it is running."""
        status = _exit_status(self._process, patience)
        return 128 - status if self._namespaced and status is not None and status > 128 else status

    def is_out_of_memory(self) -> bool:
        """Whether it was killed for reaching the memory limit of its control group, if it has one."""
        return self._group is not None and self._group.is_out_of_memory()

    def kill(self) -> None:
        """End it, and wait until it has ended."""
        if sys.platform != "win32":
            self._signal(signal.SIGKILL)
        if self._last is not None and self._namespaced:  # when a namespace's first process ends, all others do
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._last, signal.SIGKILL)
            gone = select.poll()
            gone.register(self._last, select.POLLIN)
            gone.poll(_PATIENCE * 1000)
        if self._group is not None:
            self._group.kill()
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """End it and clean up. Its output must have been read before."""
        self.kill()
        self.channel.close()
        self._release()

    def _release(self) -> None:
        for descriptor in (self._player, self._last):
            if descriptor is not None:
                os.close(descriptor)
        self._player = self._last = None
        if self._group is not None:
            self._group.close()
            self._group = None
        if self._scratch is not None:
            self._scratch.close()
            self._scratch = None

    def _first_reply(self) -> Packet:
        """The report of the grader's own code in the new process, before any player is loaded."""
        deadline = time.monotonic() + _PATIENCE
        try:
            while time.monotonic() < deadline:
                line = self.channel.receive(deadline - time.monotonic())
                if line is not None:
                    return decode(line)
        except (EOFError, ProtocolError):
            pass
        self.kill()
        output = clean(self.channel.output().decode("utf-8", "replace"), 1000).strip()
        if output:
            raise GraderFault(say("A player's process could not be started: {output}", output=output))
        raise GraderFault(say("A player's process could not be started."))

    def _signal(self, number: int) -> None:
        if sys.platform == "win32":
            return
        if self._player is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._player, number)
        # At levels at which it can have children, they are in its process group. The group's number cannot be reused
        # until the process has been waited for, which is done at the very end.
        if self.level < Level.GOOD and not self._namespaced and self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)


def _own_group(level: Level, limits: Limits) -> PlayerGroup | None:
    """A control group for a player, where the system has any."""
    if level < Level.BASIC or (folder := group_offer().folder) is None:
        return None
    return PlayerGroup(folder, memory=limits.memory_mb + limits.scratch_mb << 20, tasks=limits.tasks)


def _spawn(
    level: Level, limits: Limits, own: tuple[str, ...], access: FileAccess, writable: str | None
) -> tuple[subprocess.Popen[bytes], int | None]:
    """The new process, and the descriptor on which bubblewrap, if used, reports the namespace's first process."""
    command = [interpreter(), "-S", "-s", "-B", "-c", BOOTSTRAP, str(ROOT)]
    info_read, info_write = os.pipe() if level is Level.STRONG else (None, None)
    if info_write is not None:
        command = bubblewrap(info_write, access, own, limits.scratch_mb, command)
    try:
        process = subprocess.Popen(  # noqa: S603  our own interpreter, by its full path
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0 if hasattr(select, "poll") else -1,
            cwd=None if sys.platform == "win32" else os.sep,
            env=clean_environment(writable),
            pass_fds=() if info_write is None else (info_write,),
            **out_of_reach_of_ctrl_c(),
        )
    except FileNotFoundError as missing:
        if info_read is not None:
            os.close(info_read)
        raise GraderFault(
            say("A player's process could not be started: {file} does not exist.", file=str(missing.filename))
        ) from missing
    finally:
        if info_write is not None:
            os.close(info_write)
    return process, info_read


def out_of_reach_of_ctrl_c(platform: str = sys.platform) -> dict[str, Any]:
    """Arguments of `Popen` for a process that Ctrl-C at the terminal does not reach: it is for the grader alone."""
    if platform == "win32":
        return {"creationflags": _CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _exit_status(process: subprocess.Popen[bytes], patience: float) -> int | None:
    """A process's exit status if it ends in time. On Linux it is not reaped, so that its number is not reused."""
    if sys.platform != "linux" or process.returncode is not None:
        try:
            return process.wait(patience)
        except subprocess.TimeoutExpired:
            return None
    deadline = time.monotonic() + patience
    while (ended := os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)) is None:
        if time.monotonic() >= deadline:
            return None
        time.sleep(0.005)
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def _isolation_order(level: Level, limits: Limits, access: FileAccess, writable: str | None) -> IsolationOrder:
    own_files = {"folder": writable, "size": limits.scratch_mb << 20, "files": limits.scratch_files}
    return {
        "level": int(level),
        "limits": {
            "memory": limits.memory_mb << 20,
            "descriptors": limits.descriptors,
            "file_size": limits.scratch_mb << 20,
        },
        "core": limits.core,
        "readable": access.readable,
        "listable": access.listable,
        "writable": access.writable,
        "scratch": own_files if writable and level is Level.STRONG else None,
    }


def clean_environment(writable: str | None = None) -> dict[str, str]:
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
        **({"TMPDIR": writable} if writable else {}),
    }


def _bubblewrap_pids(info_read: int) -> tuple[int, int]:
    """The numbers of the namespace's first process, which bubblewrap reports, and of the player that it started."""
    info = b""
    while part := os.read(info_read, 4096):
        info += part
    try:
        init = json.loads(info)["child-pid"]
        with open(f"/proc/{init}/task/{init}/children", encoding="ascii") as file:
            return init, int(file.read().split()[0])
    except (OSError, ValueError, LookupError) as error:
        raise GraderFault(
            say("The process that bubblewrap started could not be found: {problem}.", problem=repr(error))
        ) from error
