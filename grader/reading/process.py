"""The grader's side of the process that reads submissions: start it, take its lines, and end it."""

import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import IO, NoReturn, TypeVar

from grader.errors import GraderError
from grader.file_removal import remove_tree
from grader.intake.submission import IntakeError, StagingFault, UnclearFolderError
from grader.language import say
from grader.reading.child import CODE, DIGESTS, END, STEP, Task
from grader.reading.codec import decode, encode
from grader.reading.failures import SECONDS, Failure
from grader.reading.limited import ANSWER, AT, FAULT, MAX_ANSWER, WALL_SECONDS
from grader.sandbox.protocol import clean
from grader.sandbox.spawn import clean_environment, out_of_reach_of_ctrl_c

P = TypeVar("P", bound="ReadingProcess")

BOOTSTRAP = "import sys; sys.path[:] = sys.argv[1:]; from grader.reading.child import main; main()"
_FAULTS: dict[str, type[GraderError]] = {
    kind.__name__: kind for kind in (IntakeError, StagingFault, UnclearFolderError)
}
_STEP_SECONDS = 3 * SECONDS
"""How long a step may take where it has no process of its own, and only the time on the wall is known."""
_PATIENCE = WALL_SECONDS + 60.0
"""How long the process may take for anything else."""
_MOST_GIVEN_UP = 1000


class _GaveUp(Exception):
    """A process that was at this step has ended, or did not answer in time, for this reason."""

    def __init__(self, step: int, failure: Failure) -> None:
        super().__init__(step, failure)
        self.step, self.failure = step, failure


class ReadingProcess:
    """A process that does a task. It is started at once, so that the grader can do something else meanwhile."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._start()

    def answers(self) -> list[bytes]:
        """Its answers, once it is done. Raises the `GraderError` that it reports, or one that says how it ended."""
        while True:
            try:
                return list(self._answers())
            except _GaveUp as ended:
                problem = self._last_error()
                self.close()
                if not ended.step or len(self._task.given_up) >= _MOST_GIVEN_UP:
                    raise _reader_fault(ended.failure, problem) from ended
                given_up = (*self._task.given_up, (ended.step, ended.failure))
                self._task = replace(self._task, given_up=given_up)
                if self._task.kind not in (CODE, DIGESTS):
                    remove_tree(self._task.staging)  # the new process copies all submissions again
                self._start()

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        self._thread.join()
        for file in (self._process.stdin, self._process.stdout, self._errors):
            if file is not None:
                with suppress(OSError):
                    file.close()

    def __enter__(self: P) -> P:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed by `close`
        self._process = subprocess.Popen(  # noqa: S603  our own interpreter and program
            [sys.executable, "-s", "-B", "-c", BOOTSTRAP, *filter(None, sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=clean_environment(),
            **out_of_reach_of_ctrl_c(),
        )
        assert self._process.stdin and self._process.stdout
        self._received: queue.Queue[bytes] = queue.Queue()
        self._thread = threading.Thread(target=_receive, args=(self._process.stdout, self._received), daemon=True)
        self._thread.start()
        with suppress(OSError):  # it has ended already, which `_answers` finds
            self._process.stdin.write(encode(self._task) + b"\n")
            self._process.stdin.close()

    def _answers(self) -> Iterator[bytes]:
        step, at = 0, ""
        while True:
            try:
                line = self._received.get(timeout=_STEP_SECONDS if step else _PATIENCE)
            except queue.Empty:
                raise _GaveUp(step, Failure("time", at=at)) from None
            kind, rest = line[:1], line[1:]
            if kind == ANSWER:
                yield rest
            elif kind == STEP:
                step, at = int(rest), ""
            elif kind == AT:
                at = rest.decode("utf-8", "replace")
            elif kind == FAULT:
                _raise_fault(rest)
            elif kind == END:
                return
            else:
                raise _GaveUp(step, Failure("crash", str(self._process.wait()), at))

    def _last_error(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read(100_000).decode("utf-8", "replace").split("\n")
        return clean(next((line for line in reversed(lines) if line.strip()), ""), 500)


def _receive(file: IO[bytes], received: "queue.Queue[bytes]") -> None:
    """Take all lines of a process; last an empty one, when it has ended."""
    while line := file.readline(MAX_ANSWER):
        received.put(line.rstrip(b"\n"))
    received.put(b"")


def _raise_fault(line: bytes) -> NoReturn:
    """Raise the error that the process reports."""
    name, _, text = line.partition(b" ")
    raise _FAULTS.get(name.decode("ascii", "replace"), GraderError)(decode(str, text))


def _reader_fault(failure: Failure, problem: str) -> GraderError:
    what = say("it did not answer") if failure.cause == "time" else say("it ended with {status}", status=failure.detail)
    return GraderError(
        say(
            "The process that reads submissions failed: {what}. {problem} Nothing was graded.",
            what=what,
            problem=problem,
        )
    )
