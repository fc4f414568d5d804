"""Templates: clean processes, kept ready, from which players' processes are forked. See `fork_server` for what runs in them.

A template serves one player at a time, so that the two players of a match never share namespaces. When its player has ended, it is
kept for the next one that needs the same kind.
"""

import json
import os
import select
import signal
import socket
import struct
import subprocess
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO

from grader.errors import GraderFault
from grader.language import say
from grader.sandbox import fork_server
from grader.sandbox.file_access import (
    ROOT,
    FileAccess,
    allowed_files,
    allowed_folders,
    bubblewrap,
    interpreter,
    packages,
    program,
)
from grader.sandbox.isolation import Level
from grader.sandbox.protocol import clean
from grader.sandbox.scratch import Scratch
from grader.sandbox.spawn import PATIENCE, spawn

MOST_IDLE = 8
"""How many templates are kept for later."""
_CREDENTIALS = struct.Struct("iII")
"""What the system says about the sender of a message: its process, user and group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateKind:
    """What distinguishes one template from another."""

    level: Level
    scratch: bool = False
    """Whether its players have scratch folders."""
    visible: tuple[str, ...] = ()
    """Files of a reference player, which others must not see."""
    game: str = ""
    """The name of an installed game whose rules it has loaded."""
    modules: tuple[str, ...] = ()
    """Modules of installed libraries that it has loaded."""


class Template:
    """A process of which players are forks, and the folder for their private copies of files."""

    def __init__(self, kind: TemplateKind) -> None:
        self.kind = kind
        self._scratch = Scratch()
        self.folder = self._scratch.folder
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._control.settimeout(PATIENCE)
        try:
            with theirs:
                self._process = _start(kind, self.folder, theirs.fileno())
        except BaseException:
            self._control.close()
            self._scratch.close()
            raise
        self.close = weakref.finalize(self, _end, self._process, self._control, self._scratch)
        """End the template and remove its folder. Also called when it is no longer used, or the grader ends."""
        with suppress(OSError):  # it has ended: there will be no answer
            self._control.send(json.dumps(_loading_order(kind, self.folder)).encode())
        message, _ = self._receive()
        if message not in (fork_server.READY, fork_server.RESTRICTED):
            raise self._failure()
        self._is_restricted = message == fork_server.RESTRICTED

    def fork(self) -> "ForkedProcess":
        """Start a player's process, in which no student's code has run yet."""
        (orders, write), *others = [os.pipe() for _ in range(fork_server.PIPES)]
        given = [orders, *(writing for _, writing in others)]
        kept = [write, *(reading for reading, _ in others)]
        try:
            socket.send_fds(self._control, [fork_server.PLAYER], given)
            message, pid = self._receive()
            if message != fork_server.PLAYER:
                raise self._failure(message)
            return ForkedProcess(pid, kept)
        except BaseException as error:
            for descriptor in kept:
                os.close(descriptor)
            if isinstance(error, OSError):  # it has ended, or the player has
                raise self._failure() from error
            raise
        finally:
            for descriptor in given:
                os.close(descriptor)

    def file_access(self, own: tuple[str, ...], scratch: str | None) -> FileAccess:
        """The paths to which a player has to restrict itself, given its own files and scratch folder."""
        return allowed_folders(own) if self._is_restricted else allowed_files(own, scratch)

    def is_alive(self) -> bool:
        """Whether it can fork another player."""
        return self._process.poll() is None

    def _receive(self) -> tuple[bytes, int]:
        """A message, and the number of the process that sent it; an empty message if there is none."""
        try:
            message, ancillary, *_ = self._control.recvmsg(1000, socket.CMSG_SPACE(_CREDENTIALS.size))
        except OSError:  # also if there was none in time
            return b"", 0
        for level, kind, data in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
                return message, _CREDENTIALS.unpack(data)[0]
        return b"", 0

    def _failure(self, message: bytes = b"") -> GraderFault:
        """End it. Returns the fault with what it said: in its message, or what it or bubblewrap has printed."""
        self._control.close()
        self._process.kill()
        assert self._process.stderr
        printed = self._process.stderr.read()
        self.close()
        output = clean((message or printed).decode("utf-8", "replace"), 1000).strip()
        if output:
            return GraderFault(say("A player's process could not be started: {output}", output=output))
        return GraderFault(say("A player's process could not be started."))


class ForkedProcess:
    """A player's process that was forked from a template, and our ends of its pipes."""

    def __init__(self, pid: int, pipes: list[int]) -> None:
        self.pid = pid
        self._handle = os.pidfd_open(pid)
        orders, replies, prints, self._status = pipes
        self.pipes: tuple[IO[bytes], IO[bytes], IO[bytes]] = (
            os.fdopen(orders, "wb", buffering=0),
            os.fdopen(replies, "rb", buffering=0),
            os.fdopen(prints, "rb", buffering=0),
        )
        """For orders, replies and output."""
        self._ended: int | None = None

    def signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, number)

    def status(self, patience: float = 0.0) -> int | None:
        """Its exit status, negative for a signal; None while it is running."""
        if self._ended is None and _is_readable(self._status, patience):
            # Without a status the process that should report it was killed, and the player with it.
            self._ended = int(os.read(self._status, 100) or -signal.SIGKILL)
        return self._ended

    def kill(self) -> None:
        """End it, and wait until it has ended with all other processes in its namespace."""
        self.signal(signal.SIGKILL)
        _is_readable(self._handle, PATIENCE)
        self.status(PATIENCE)
        _is_readable(self._status, PATIENCE)  # now at the end of the pipe, when its keeper has ended

    def close(self) -> None:
        """Close our descriptors, but not the pipes. It must have ended."""
        os.close(self._handle)
        os.close(self._status)


class _Idle(threading.local):
    """The templates that no player uses, the most recently used last.

    Each thread has its own: a template ends with the thread that started it.
    """

    def __init__(self) -> None:
        self.templates: list[Template] = []


_IDLE = _Idle()
"""The stock of this process. It only makes later players start faster, so that every part of the grader may use it."""


@contextmanager
def borrow(kind: TemplateKind) -> Iterator[Template]:
    """A template of that kind, for one player."""
    template = _take_idle(kind) or Template(kind)
    try:
        yield template
    except BaseException:  # it may have failed itself
        template.close()
        raise
    _IDLE.templates.append(template)
    if len(_IDLE.templates) > MOST_IDLE:
        _IDLE.templates.pop(0).close()


def _take_idle(kind: TemplateKind) -> Template | None:
    """A template of that kind that no player uses, if there is one that is alive."""
    for template in [one for one in reversed(_IDLE.templates) if one.kind == kind]:
        _IDLE.templates.remove(template)
        if template.is_alive():
            return template
        template.close()
    return None


def close_idle() -> None:
    """End the templates of this thread that no player uses."""
    while _IDLE.templates:
        _IDLE.templates.pop().close()


def _start(kind: TemplateKind, folder: str, control: int) -> subprocess.Popen[bytes]:
    command = [*interpreter(), "-c", program("fork_server"), str(ROOT), str(control)]
    if kind.level is Level.STRONG:
        command = bubblewrap((*kind.visible, folder), command, scratch=kind.scratch)
    return spawn(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=(control,))


def _loading_order(kind: TemplateKind, folder: str) -> fork_server.LoadingOrder:
    access = allowed_files((*kind.visible, folder))
    return {
        "namespaces": kind.level is Level.STRONG,
        "game": kind.game,
        "packages": packages(),
        "modules": kind.modules,
        # A restricted process cannot mount the scratch folder of a player.
        "files": None if kind.scratch else [access.readable, access.listable, access.writable],
    }


def _end(process: subprocess.Popen[bytes], control: socket.socket, scratch: Scratch) -> None:
    control.close()  # now it ends by itself
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    assert process.stderr
    process.stderr.close()
    scratch.close()


def _is_readable(descriptor: int, patience: float) -> bool:
    """Whether there is something to read, or the end, within this time."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(patience * 1000))
