"""Control groups (cgroup v2): limit all memory of a player, what the kernel keeps for it included, and end all its processes.

They are an addition to every level from *basic* on, used where the system lets this user create them: in a systemd scope with
`Delegate=yes`, or in a container with a writable cgroup file system.
"""

import os
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.errors import GraderFault
from grader.language import say

_CONTROLLERS = ("memory", "pids")
_LEAF = "grader"
"""The group of the grader's own processes: a group that has subgroups with limits cannot hold processes itself."""
_PLAYER = "player"
_KERNEL_MEMORY = 64 << 20
"""Bytes beyond its own limits that a player may occupy, in the kernel above all."""
_PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class GroupOffer:
    """The folder in which groups of players can be created, or why there is none."""

    folder: Path | None
    reason: str = ""


@cache
def group_offer() -> GroupOffer:
    """Whether players can have their own groups here. If so, this process is moved to a group next to theirs."""
    try:
        own = _own_group(Path("/proc/self/mountinfo").read_text(), Path("/proc/self/cgroup").read_text())
    except OSError:
        own = None
    return GroupOffer(None, say("this system has no cgroup v2")) if own is None else prepare(own)


def _own_group(mounts: str, groups: str) -> Path | None:
    """The folder of this process's group, from the system's descriptions of its mounts and groups."""
    own = next((line[3:] for line in groups.splitlines() if line.startswith("0::/")), None)
    for line in mounts.splitlines():
        root, mounted, kind = (*line.split()[3:5], line.partition(" - ")[2].partition(" ")[0])
        if kind == "cgroup2" and own is not None and (root == "/" or own == root or own.startswith(f"{root}/")):
            return Path(mounted, os.path.relpath(own, root))
    return None


def prepare(own: Path) -> GroupOffer:
    """Make it possible to create groups of players next to the group of this process, or inside it if it was delegated."""
    folder = own.parent if own.name == _LEAF else own
    try:
        missing = set(_CONTROLLERS) - set((folder / "cgroup.controllers").read_text().split())
        if missing:
            return GroupOffer(
                None, say("these cgroup v2 controllers are missing: {names}", names=", ".join(sorted(missing)))
            )
        if folder is own:
            if not _is_delegated(folder):
                return GroupOffer(None, say("the group of this process was not delegated to it"))
            (folder / _LEAF).mkdir(exist_ok=True)
            for pid in (folder / "cgroup.procs").read_text().split():
                with suppress(ProcessLookupError):  # it has just ended
                    (folder / _LEAF / "cgroup.procs").write_text(pid)
        (folder / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in _CONTROLLERS))
        _remove_abandoned(folder)
        PlayerGroup(folder, memory=1 << 30, tasks=1).close()
    except (OSError, GraderFault) as error:
        return GroupOffer(None, say("groups cannot be created in {folder}: {why}", folder=str(folder), why=str(error)))
    return GroupOffer(folder)


def _is_delegated(folder: Path) -> bool:
    """Whether a group is ours to divide: systemd says so, or it is the outermost group of a container."""
    for mark in ("user.delegate", "trusted.delegate"):
        with suppress(OSError):
            if os.getxattr(folder, mark) == b"1":
                return True
    return os.path.ismount(folder) and (folder / "cgroup.type").exists()  # the machine's outermost group has no type


def _remove_abandoned(folder: Path) -> None:
    """Remove the empty groups that killed graders left behind."""
    for group in folder.glob(f"{_PLAYER}-*-*"):
        if not Path("/proc", group.name.split("-")[1]).exists():
            with suppress(OSError):
                group.rmdir()


class PlayerGroup:
    """The group of one player's processes."""

    def __init__(self, folder: Path, *, memory: int, tasks: int) -> None:
        """`memory` in bytes, as the player's own limits allow it; `tasks` is the most processes and threads."""
        self._folder = folder / f"{_PLAYER}-{os.getpid()}-{secrets.token_hex(4)}"
        try:
            self._folder.mkdir()
            _write_limits(self._folder, memory + _KERNEL_MEMORY, tasks)
        except OSError as error:
            self._remove()
            raise GraderFault(say("A control group could not be created: {problem}.", problem=str(error))) from error

    def add(self, pid: int) -> None:
        """Move a process here. What it starts will be here, too."""
        try:
            (self._folder / "cgroup.procs").write_text(str(pid))
        except OSError as error:
            raise GraderFault(
                say("A player could not be moved to its control group: {problem}.", problem=str(error))
            ) from error

    def is_out_of_memory(self) -> bool:
        """Whether a process was killed because the group reached its memory limit."""
        with suppress(OSError):
            counts = dict(line.split() for line in (self._folder / "memory.events").read_text().splitlines())
            return counts.get("oom_kill", "0") != "0"
        return False

    def kill(self) -> None:
        """End all processes, also those that left their session and their parents."""
        with suppress(OSError):  # a kernel older than 5.14
            (self._folder / "cgroup.kill").write_text("1")

    def close(self) -> None:
        """End all processes and remove the group."""
        self.kill()
        deadline = time.monotonic() + _PATIENCE
        while not self._remove() and time.monotonic() < deadline:
            time.sleep(0.005)

    def _remove(self) -> bool:
        try:
            self._folder.rmdir()
        except FileNotFoundError:
            return True
        except OSError:  # a process has not ended yet
            return False
        return True


def _write_limits(folder: Path, memory: int, tasks: int) -> None:
    for name, value in (("memory.max", memory), ("memory.oom.group", 1), ("pids.max", tasks)):
        (folder / name).write_text(str(value))
    with suppress(FileNotFoundError):  # a kernel that does not limit swapping
        (folder / "memory.swap.max").write_text("0")
