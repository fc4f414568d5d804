"""The process that reads submissions for the grader. It holds no secrets, and does everything dangerous in forks of its own.

It gets one request, a `Task`, and answers with lines: two for each submission, what it is and what was read from it.
"""

import gc
import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from grader.errors import GraderError
from grader.inspection.handed_out import handed_out_code
from grader.inspection.inspect_code import CodeRules, Inspection, inspect_code
from grader.intake.collect import collect, folder_use, submission_ids
from grader.intake.handouts import course_files, handout_classes, player_codes
from grader.intake.submission import Submission, UnclearFolderError
from grader.reading.codec import decode, decode_or_none, encode
from grader.reading.failures import Failure
from grader.reading.limited import (
    ANSWER,
    FAULT,
    Forks,
    ReaderFault,
    ReadingPlace,
    answer_of,
    describe,
    encode_fault,
    outcome,
    reporter,
    send,
)
from grader.reading.limited_reader import NOTHING, LimitedReader
from grader.sandbox.isolation import Level, isolate_process
from grader.similarity.documents import code_document

STEP = b"#"
"""How a line starts that says which step is next, where each step cannot have a process of its own."""
END = b"."
CLASS, DOCUMENTS, CODE, IDS, FOLDER_USE, DIGESTS = "class", "documents", "code", "ids", "folder use", "digests"
_MEMORY = 4 << 30
_FILE_SIZE = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What to read."""

    kind: str
    """`class` or `documents` of the submissions at a path, the `code` at each path, only the `ids` of the submissions, only the
    `folder use`, or the `digests` of everything at each path."""
    paths: tuple[Path, ...]
    readable: tuple[str, ...]
    """The folders of Python and its packages, besides the paths."""
    staging: Path = Path()
    """The folder for copies of submissions, if there are any."""
    due: str | None = None
    single: bool | None = None
    if_unclear: bool | None = None
    """What `single` is for documents if it is unclear what the path is."""
    rules: tuple[CodeRules, ...] = ()
    graded_by: dict[str, CodeRules] = field(default_factory=dict)
    """The only rules that are possible for some submissions, by id."""
    with_played: bool = False
    """Whether an exam will look at the code."""
    given_up: tuple[tuple[int, Failure], ...] = ()
    """StepSequence that ended an earlier process."""


def main() -> None:
    """Do the task on standard input."""
    task = decode(Task, sys.stdin.buffer.readline())
    replies = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    for known in (player_codes, handout_classes, course_files):
        known()  # before the first fork, so that they are read once
    gc.freeze()
    if sys.platform == "linux":
        limits = {"memory": _MEMORY, "descriptors": 1024, "file_size": _FILE_SIZE}
        isolate_process({"level": int(Level.BASIC), "limits": limits, "core": None})
    try:
        _do(task, replies, _limits(task, replies))
    except ReaderFault as fault:
        send(replies, FAULT + fault.args[0] + b"\n")
    except GraderError as error:
        send(replies, FAULT + encode_fault(error) + b"\n")
    except Exception as error:  # noqa: BLE001  the grader raises it again
        send(replies, FAULT + encode_fault(GraderError(describe(error))) + b"\n")
    send(replies, END + b"\n")


def _limits(task: Task, replies: int) -> ReadingPlace:
    if not hasattr(os, "fork"):
        sys.addaudithook(reporter(replies, _folders(task)))
        return StepSequence(dict(task.given_up), lambda line: send(replies, line))
    staging = () if task.kind in (CODE, DIGESTS) else (str(task.staging),)
    readable = (*task.readable, *map(str, _folders(task)), *staging)
    return Forks(readable, close=(replies,), tell=lambda: send(replies, STEP + b"0\n"))


def _folders(task: Task) -> list[Path]:
    return [path if path.is_dir() else path.parent for path in task.paths]


class StepSequence:
    """Does one thing after the other in this process, and says which. The grader ends it if a step takes too long."""

    def __init__(self, given_up: dict[int, Failure], tell: Callable[[bytes], None]) -> None:
        self._given_up, self._tell = given_up, tell
        self._step = 0

    def do(
        self, work: Callable[[], bytes], writable: Path | None = None, shown: Sequence[Path] = ()
    ) -> bytes | Failure:
        """The answer of the next step; if it has ended an earlier process, why."""
        del writable, shown
        self._step += 1
        if self._step in self._given_up:
            return self._given_up[self._step]
        self._tell(STEP + b"%d\n" % self._step)
        return outcome(*answer_of(work))


def _do(task: Task, replies: int, limits: ReadingPlace) -> None:
    if task.kind in (CODE, DIGESTS):
        for path, shown in zip(task.paths, _folders(task), strict=True):
            work = partial(_inspect, task, path) if task.kind == CODE else partial(_digest, path)
            answer = limits.do(work, shown=(shown,))
            lines = (encode(answer), NOTHING) if isinstance(answer, Failure) else (NOTHING, answer)
            for line in lines:
                send(replies, ANSWER + line.replace(b"\n", b" ") + b"\n")
        return
    (path,), (shown,) = task.paths, _folders(task)
    reader = LimitedReader(limits, shown, lambda folder, id_: _read(task, folder, id_))
    if task.kind == IDS:
        send(replies, ANSWER + encode(tuple(submission_ids(path, task.staging, reader))) + b"\n")
        return
    if task.kind == FOLDER_USE:
        send(replies, ANSWER + encode(folder_use(path, task.staging, reader, single=task.single)) + b"\n")
        return
    due = datetime.fromisoformat(task.due) if task.due is not None else None
    try:
        submissions = collect(path, task.staging, reader, due=due, single=task.single)
    except UnclearFolderError:
        if task.kind != DOCUMENTS or task.if_unclear is None:
            raise
        submissions = collect(path, task.staging, reader, due=due, single=task.if_unclear)
    read = [(submission, reader.read.get(submission.id, NOTHING)) for submission in submissions]
    for submission, line in _compare(task, limits, read) if task.kind == CLASS else read:
        send(replies, ANSWER + encode(submission) + b"\n")
        send(replies, ANSWER + line + b"\n")


def _compare(
    task: Task, limits: ReadingPlace, read: Sequence[tuple[Submission, bytes]]
) -> Iterator[tuple[Submission, bytes]]:
    """The submissions of a class and what was read from them: again, if they contain handed-out code that may matter.

    What was handed out is known only when all have been read, and never depends on `--only`.
    """
    inspections = [decode_or_none(Inspection, line) for _, line in read]
    handed_out = handed_out_code(inspection.code for inspection in inspections if inspection is not None)
    for (submission, line), inspection in zip(read, inspections, strict=True):
        if inspection is None or inspection.ranked_code.isdisjoint(handed_out):
            yield submission, line
            continue
        work = partial(_inspect, task, submission.folder, submission.id, handed_out)
        answer = limits.do(work, shown=(submission.folder,))
        if isinstance(answer, Failure):
            yield replace(submission, problem=answer.finding()), NOTHING
        else:
            yield submission, answer.replace(b"\n", b" ")


def _read(task: Task, folder: Path, id_: str) -> bytes:
    """What is read from the copy of a submission."""
    if task.kind == DOCUMENTS:
        return encode(code_document(id_, folder))
    return _inspect(task, folder, id_)


def _digest(path: Path) -> bytes:
    """The digest of the names and contents of all files at a path, as a record."""
    total = hashlib.sha256()
    for file in [path] if path.is_file() else sorted(path.rglob("*")):
        if file.is_file() and not file.is_symlink():
            found = hashlib.sha256()
            with file.open("rb") as content:
                while part := content.read(1 << 20):
                    found.update(part)
            total.update(os.fsencode(file.relative_to(path)) + b"\0" + found.digest())
    return encode(total.hexdigest())


def _inspect(task: Task, path: Path, id_: str = "", handed_out: frozenset[str] = frozenset()) -> bytes:
    fixed = task.graded_by.get(id_)
    rules = task.rules if fixed is None else (fixed,)
    return encode(inspect_code(path, rules, id_, handed_out=handed_out, with_played=task.with_played))
