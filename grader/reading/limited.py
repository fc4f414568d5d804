"""Process a student's files in a separate, limited process.

The process is a fork of this one, which must hold no secrets and no threads. It answers once, and before that says
which file it is at.
"""

import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from grader.errors import GraderError
from grader.reading.codec import encode
from grader.reading.failures import MEMORY_MB, SECONDS, Failure, from_signal
from grader.sandbox.file_access import ROOT
from grader.sandbox.isolation import IsolationOrder, Level, isolate_process

if sys.platform != "win32":
    import resource

WALL_SECONDS = 12 * SECONDS
"""When to give up on a process that gets no CPU time, or waits for a disk."""
MAX_ANSWER = 64_000_000
_FILE_SIZE = 250_000_000
_DESCRIPTORS = 256
AT, ANSWER, FAULT, FAILED = b"@", b"=", b"!", b"?"
"""How lines start: with the file that is being read, the answer, an error of the grader, or a `Failure`."""

Work = Callable[[], bytes]
"""What is done. It returns the answer."""


class ReaderFault(Exception):
    """An error that is not about one submission, as the line that `encode_fault` made of it."""


class ReadingPlace(Protocol):
    """Somewhere to do things with a student's files."""

    def do(self, work: Work, writable: Path | None = None, shown: Sequence[Path] = ()) -> bytes | Failure:
        """The answer of some work, or why there is none.

        `writable` is the folder that it may change. The files that it opens are named relative to the folders `shown`. Raises
        `ReaderFault` for an error that is not about this submission.
        """


class Forks:
    """Does things in processes that may read `readable` and change only the folder that each is given."""

    def __init__(
        self, readable: Sequence[str], close: Sequence[int] = (), tell: Callable[[], None] = lambda: None
    ) -> None:
        self._readable = tuple(readable)
        self._close = tuple(close)
        """Descriptors that these processes must not have: those to the grader."""
        self._tell = tell
        """Called before each: the grader knows that there is progress."""

    def do(self, work: Work, writable: Path | None = None, shown: Sequence[Path] = ()) -> bytes | Failure:
        self._tell()
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                os.close(reading)
                for descriptor in self._close:
                    os.close(descriptor)
                _limit(self._order(writable))
                sys.addaudithook(reporter(writing, shown))
                send(writing, b"".join(answer_of(work)))
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        try:
            return _wait(pid, reading)
        finally:
            os.close(reading)

    def _order(self, writable: Path | None) -> IsolationOrder:
        return {
            "level": int(Level.GOOD),
            "limits": {"memory": MEMORY_MB << 20, "descriptors": _DESCRIPTORS, "file_size": _FILE_SIZE},
            "core": None,
            "readable": self._readable,
            "listable": (),
            "writable": () if writable is None else (str(writable),),
        }


def _limit(order: IsolationOrder) -> None:
    """Limit this process as far as the system can."""
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 2))
    if sys.platform == "linux":
        isolate_process(order)
    else:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (order["limits"]["memory"],) * 2)


def answer_of(work: Work) -> tuple[bytes, bytes]:
    """How the answer of some work starts, and the answer. Never raises because of the work."""
    try:
        return ANSWER, work()
    except GraderError as error:
        return FAULT, encode_fault(error)
    except MemoryError:
        return FAILED, b"memory"
    except RecursionError:
        return FAILED, b"nesting"
    except Exception as error:  # noqa: BLE001  whatever it is, it concerns this submission only, and is reported
        return FAILED, b"bug " + describe(error).encode("ascii", "backslashreplace")


def encode_fault(error: GraderError) -> bytes:
    """An error as a line: the name of its class, and its message."""
    return type(error).__name__.encode() + b" " + encode(error.text)


def describe(error: Exception) -> str:
    """An error of the grader's own code, on one line, with the last of its own lines that ran."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(ROOT / "grader")] or frames
    place = f"{Path(own[-1].filename).name}:{own[-1].lineno}"
    return " ".join(f"{type(error).__name__} in {place}: {error}"[:500].split())


def reporter(writing: int, shown: Sequence[Path]) -> Callable[[str, tuple[Any, ...]], None]:
    """An audit hook that reports each file below these folders when it is opened."""
    places = tuple(f"{folder}{os.sep}" for folder in shown)

    def report(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | Path) and str(arguments[0]).startswith(places):
            path = str(arguments[0])
            place = next(place for place in places if path.startswith(place))
            name = os.fsencode(path[len(place) :]).replace(b"\n", b"?")
            send(writing, AT + name[:1000] + b"\n")

    return report


def send(writing: int, data: bytes) -> None:
    """Write all of it."""
    view = memoryview(data)
    while view:
        view = view[os.write(writing, view) :]


def _wait(pid: int, reading: int) -> bytes | Failure:
    """The answer of a process, which has ended afterwards."""
    received = bytearray()
    at, status = "", None
    deadline = time.monotonic() + WALL_SECONDS
    try:
        while len(received) < MAX_ANSWER and select.select([reading], [], [], max(0, deadline - time.monotonic()))[0]:
            part = os.read(reading, 1 << 20)
            if not part:
                status = os.waitpid(pid, 0)[1]
                break
            received += part
            while received[:1] == AT and (end := received.find(b"\n")) >= 0:
                at = os.fsdecode(bytes(received[1:end]))
                del received[: end + 1]
    finally:
        if status is None:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    if status is None:
        return Failure("memory" if len(received) >= MAX_ANSWER else "time", at=at)
    if os.WIFSIGNALED(status):
        return from_signal(os.WTERMSIG(status), at)
    if status:  # it had not even memory left to say so
        return Failure("memory", at=at)
    return outcome(bytes(received[:1]), bytes(received[1:]), at)


def outcome(kind: bytes, answer: bytes, at: str = "") -> bytes | Failure:
    """What `answer_of` returned, on this side."""
    if kind == ANSWER:
        return answer
    if kind == FAULT:
        raise ReaderFault(answer)
    cause, _, detail = answer.decode("ascii", "replace").partition(" ")
    return Failure(cause, detail, at)
