"""The grader's ends of a player's three pipes: for orders, replies, and printed output.

Output beyond a cap is discarded, so that a player that prints a lot is neither blocked nor penalised.
"""

import os
import queue
import select
import sys
import threading
import time
from contextlib import suppress
from typing import IO, Protocol

from grader.language import say
from grader.sandbox.protocol import MAX_REPLY, ProtocolError

if sys.platform != "win32":
    import fcntl

CHUNK = 1 << 16
PAUSE = 0.01
"""Seconds between two times that a player can make the grader read. Otherwise a player that prints without end, or sends a
reply byte by byte, could keep a core busy with that, and the player of another game on that core would have to wait."""
PIPE_SIZE = 1 << 20
"""The size of the pipe for output, in bytes, so that a player that prints a lot is not blocked during a pause."""


class Channel(Protocol):
    """The connection to one player's process."""

    def send(self, line: bytes) -> None:
        """Send an order. A player that has ended is detected when its reply is missing."""

    def receive(self, timeout: float) -> bytes | None:
        """The next reply, or None if there is none in time. Raises `EOFError` once there can be none."""

    def has_early_reply(self) -> bool:
        """Whether there is a reply although no order was sent."""

    def output(self) -> bytes:
        """What the player has printed, up to the cap."""

    def close(self) -> None:
        """Close all three pipes."""


def channel_to(orders: IO[bytes], replies: IO[bytes], prints: IO[bytes], cap: int) -> Channel:
    """The best kind of channel for this system."""
    kind = PollChannel if hasattr(select, "poll") else ThreadChannel
    return kind(orders, replies, prints, cap)


class PollChannel:
    """For systems that can wait for several pipes at once."""

    def __init__(self, orders: IO[bytes], replies: IO[bytes], prints: IO[bytes], cap: int) -> None:
        self._files = (orders, replies, prints)
        self._orders, self._replies, self._prints = (file.fileno() for file in self._files)
        for descriptor in (self._orders, self._replies, self._prints):
            os.set_blocking(descriptor, False)
        self._cap = cap
        self._printed = bytearray()
        self._reply = bytearray()
        self._unsent = bytearray()
        self._replies_only, self._poll = select.poll(), select.poll()
        for poll in (self._replies_only, self._poll):
            poll.register(self._replies, select.POLLIN)
        self._poll.register(self._prints, select.POLLIN)
        with suppress(AttributeError, OSError):  # only Linux has it, and only up to a total size per user
            fcntl.fcntl(self._prints, fcntl.F_SETPIPE_SZ, PIPE_SIZE)

    def send(self, line: bytes) -> None:
        waiting = bool(self._unsent)
        self._unsent += line
        if not waiting:
            self._push()

    def receive(self, timeout: float) -> bytes | None:
        deadline = time.monotonic() + timeout
        poll, most = self._poll, max(0.0, timeout)
        while True:
            ready = [descriptor for descriptor, _ in poll.poll(most * 1000)]
            if self._orders in ready:
                self._poll.unregister(self._orders)
                self._push()
            if self._prints in ready:
                self._drain()
            if self._replies in ready:
                self._read_reply()
            if b"\n" in self._reply:
                line, _, self._reply = self._reply.partition(b"\n")
                return bytes(line)
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            if self._replies in ready:  # a part of a reply
                time.sleep(min(PAUSE, left))
            poll, most = (self._replies_only, min(PAUSE, left)) if self._prints in ready else (self._poll, left)

    def _read_reply(self) -> None:
        part = os.read(self._replies, CHUNK)
        if not part:
            raise EOFError
        self._reply += part
        if len(self._reply) > MAX_REPLY:
            raise ProtocolError(say("a reply of more than {most} bytes", most=MAX_REPLY))

    def has_early_reply(self) -> bool:
        with suppress(BlockingIOError):
            self._reply += os.read(self._replies, CHUNK)
        return bool(self._reply)

    def output(self) -> bytes:
        self._drain()
        return bytes(self._printed)

    def close(self) -> None:
        for file in self._files:
            file.close()

    def _push(self) -> None:
        """Write what the pipe has room for. The rest is written by `receive`: a player may be slow to read."""
        try:
            while self._unsent:
                del self._unsent[: os.write(self._orders, self._unsent)]
        except BlockingIOError:
            self._poll.register(self._orders, select.POLLOUT)
        except BrokenPipeError:
            self._unsent.clear()

    def _drain(self) -> None:
        """Read what is in the pipe for output, but not forever: a player may print all the time."""
        with suppress(BlockingIOError):
            for _ in range(PIPE_SIZE // CHUNK):
                part = os.read(self._prints, CHUNK)
                self._printed += part[: max(0, self._cap - len(self._printed))]
                if not part:  # closed by the player: nothing more can come
                    with suppress(KeyError):
                        self._poll.unregister(self._prints)
                    return


class ThreadChannel:
    """For systems on which only a thread can wait for a pipe (Windows)."""

    def __init__(self, orders: IO[bytes], replies: IO[bytes], prints: IO[bytes], cap: int) -> None:
        self._files = (orders, replies, prints)
        self._orders = orders
        self._cap = cap
        self._printed = bytearray()
        # A short queue: a player that sends forever fills its own pipe, not our memory.
        self._lines: queue.Queue[bytes | None] = queue.Queue(maxsize=4)
        self._readers = [
            threading.Thread(target=self._read_replies, args=(replies,), daemon=True),
            threading.Thread(target=self._read_prints, args=(prints,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def send(self, line: bytes) -> None:
        try:
            self._orders.write(line)
            self._orders.flush()
        except OSError:
            pass

    def receive(self, timeout: float) -> bytes | None:
        try:
            line = self._lines.get(timeout=max(0.0, timeout))
        except queue.Empty:
            return None
        if line is None:
            raise EOFError
        if len(line) > MAX_REPLY:
            raise ProtocolError(say("a reply of more than {most} bytes", most=MAX_REPLY))
        return line

    def has_early_reply(self) -> bool:
        return not self._lines.empty()

    def output(self) -> bytes:
        self._readers[1].join(0.2)
        return bytes(self._printed)

    def close(self) -> None:
        for reader in self._readers:
            while reader.is_alive() and not self._lines.empty():
                self._lines.get()
                reader.join(0.01)
            reader.join(1)
        for file in self._files:
            with suppress(OSError):
                file.close()

    def _read_replies(self, replies: IO[bytes]) -> None:
        while line := replies.readline(MAX_REPLY + 2):
            self._lines.put(line.rstrip(b"\n"))
        self._lines.put(None)

    def _read_prints(self, prints: IO[bytes]) -> None:
        while part := prints.read1(CHUNK):  # type: ignore[attr-defined]  # Popen's pipes are BufferedReaders
            self._printed += part[: max(0, self._cap - len(self._printed))]
