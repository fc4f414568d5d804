"""Start a player's process, which isolates itself before any student's code runs, and control it: freeze, resume and end it."""

import signal
import sys
import time

from grader.errors import GraderFault
from grader.language import say
from grader.sandbox import worker  # noqa: F401  so that its bytecode is cached: a player's process writes none
from grader.sandbox.channel import channel_to
from grader.sandbox.control_group import PlayerGroup, group_offer
from grader.sandbox.file_access import OWN_SCRATCH, FileAccess, allowed_files
from grader.sandbox.isolation import IsolationOrder, Level, achieved_level
from grader.sandbox.limits import Limits
from grader.sandbox.protocol import Packet, ProtocolError, clean, decode, encode
from grader.sandbox.scratch import Scratch
from grader.sandbox.spawn import PATIENCE, FreshProcess
from grader.sandbox.templates import ForkedProcess, Template


class SandboxProcess:
    """An isolated process that waits for its first order, frozen. No student's code has run in it yet."""

    def __init__(self, level: Level, limits: Limits, own: tuple[str, ...], template: Template | None) -> None:
        """`own` are the files that it may read; `template` is what to fork it from, or None to start an interpreter."""
        self._namespaced = template is not None and template.kind.level is Level.STRONG
        self._group: PlayerGroup | None = None
        self.level = Level.NONE
        """Its actual isolation level, which it reported before any student's code ran in it."""
        # Inside namespaces a player that may write has a file system of its own; elsewhere it gets a folder of ours.
        self._scratch = Scratch() if limits.scratch_mb and not self._namespaced else None
        writable = self._scratch.folder if self._scratch else OWN_SCRATCH if limits.scratch_mb else None
        try:
            self._process: ForkedProcess | FreshProcess = FreshProcess() if template is None else template.fork()
        except BaseException:
            self._release()
            raise
        self.pid = self._process.pid
        self.channel = channel_to(*self._process.pipes, limits.output_kb * 1024)
        try:
            access = allowed_files(own, writable) if template is None else template.file_access(own, writable)
            order = _isolation_order(level, limits, access, writable)
            self.channel.send(encode({"isolation": order}))
            steps = [step for step in self._first_reply().get("isolation", []) if isinstance(step, str)]
            self.level = achieved_level([*steps, *(["bubblewrap"] if self._has_own_files(steps, limits) else [])])
            self._group = _own_group(level, limits)
            if self._group is not None:
                self._group.add(self.pid)
        except BaseException:
            self.close()
            raise
        self.freeze()

    def _has_own_files(self, steps: list[str], limits: Limits) -> bool:
        """Whether it is inside namespaces, in which also its scratch folder, if it has one, is limited."""
        return self._namespaced and ("scratch" in steps or not limits.scratch_mb)

    def freeze(self) -> None:
        """Freeze the player, so that it cannot think while the other side is to move."""
        if sys.platform != "win32":
            self._process.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Resume the player."""
        if sys.platform != "win32":
            self._process.signal(signal.SIGCONT)

    def status(self, patience: float = 0.0) -> int | None:
        """Its exit status, negative for a signal; None while it is running."""
        return self._process.status(patience)

    def is_out_of_memory(self) -> bool:
        """Whether it was killed for reaching the memory limit of its control group, if it has one."""
        return self._group is not None and self._group.is_out_of_memory()

    def kill(self) -> None:
        """End it, and wait until it has ended."""
        if self._group is not None:
            self._group.kill()
        self._process.kill()

    def close(self) -> None:
        """End it and clean up. Its output must have been read before."""
        self.kill()
        self.channel.close()
        self._process.close()
        self._release()

    def _release(self) -> None:
        if self._group is not None:
            self._group.close()
            self._group = None
        if self._scratch is not None:
            self._scratch.close()
            self._scratch = None

    def _first_reply(self) -> Packet:
        """The report of the grader's own code in the new process, before any player is loaded."""
        deadline = time.monotonic() + PATIENCE
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


def _own_group(level: Level, limits: Limits) -> PlayerGroup | None:
    """A control group for a player, where the system has any."""
    if level < Level.BASIC or (folder := group_offer().folder) is None:
        return None
    return PlayerGroup(folder, memory=limits.memory_mb + limits.scratch_mb << 20, tasks=limits.tasks)


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
        "temporary": writable,
        "scratch": own_files if writable and level is Level.STRONG else None,
    }
