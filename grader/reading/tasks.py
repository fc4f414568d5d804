"""Read submissions, players and documents, in other processes. All commands that read students' files do it here."""

import site
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from grader.inspection.inspect_code import CodeRules, Inspection
from grader.intake.collect import FolderUse
from grader.intake.submission import Submission
from grader.reading.child import CLASS, CODE, DIGESTS, DOCUMENTS, FOLDER_USE, IDS, Task
from grader.reading.codec import decode, decode_or_none
from grader.reading.failures import INVALID, READER_ERROR, UNREADABLE, Failure
from grader.reading.limited_reader import NOTHING
from grader.reading.process import ReadingProcess
from grader.sandbox.file_access import ROOT, SYSTEM
from grader.sandbox.scratch import Scratch
from grader.similarity.documents import Document, submission_document


class ClassReading(ReadingProcess):
    """Copies the submissions at a path to their own folders below `staging`, and inspects their code."""

    def __init__(
        self,
        path: Path,
        staging: Path,
        rules: Sequence[CodeRules],
        *,
        due: datetime | None = None,
        single: bool | None = None,
        graded_by: Mapping[str, CodeRules] | None = None,
        with_played: bool = False,
    ) -> None:
        self._staging = staging.resolve()
        super().__init__(
            Task(
                kind=CLASS,
                paths=(path.resolve(),),
                readable=python_folders(),
                staging=self._staging,
                due=due.isoformat() if due is not None else None,
                single=single,
                rules=tuple(rules),
                graded_by=dict(graded_by or {}),
                with_played=with_played,
            )
        )

    def submissions(self) -> list[tuple[Submission, Inspection]]:
        """All submissions, sorted by id. Raises `IntakeError` if there are none, or the path cannot be read."""
        lines = self.answers()
        return [
            _inspected(_submission(first, self._staging), second)
            for first, second in zip(lines[::2], lines[1::2], strict=True)
        ]


class DocumentReading(ReadingProcess):
    """Reads all the Python code of the submissions at a path, to be compared. If it is unclear, the path is a class."""

    def __init__(self, path: Path, staging: Path, *, single: bool | None = None) -> None:
        self._staging = staging.resolve()
        super().__init__(
            Task(
                kind=DOCUMENTS,
                paths=(path.resolve(),),
                readable=python_folders(),
                staging=self._staging,
                single=single,
                if_unclear=False,
            )
        )
        self.has_failed = False
        """Whether something could not be read that may be readable the next time."""

    def documents(self) -> list[Document]:
        """The document of each submission, sorted by id. Raises `IntakeError` if there are none."""
        lines = self.answers()
        found = []
        for first, second in zip(lines[::2], lines[1::2], strict=True):
            submission = _submission(first, self._staging)
            code = decode_or_none(Document, second) if submission.problem is None else None
            if submission.problem is None and (code is None or not code.is_consistent):
                submission, code = replace(submission, problem=INVALID.finding()), None
            self.has_failed |= submission.problem is not None and submission.problem.code in (READER_ERROR, UNREADABLE)
            found.append(submission_document(submission, code))
        return found


def read_code(paths: Sequence[Path], rules: Sequence[CodeRules] = (), *, with_played: bool = False) -> list[Inspection]:
    """Inspect players where they are: each is a folder, or a single file together with what it imports."""
    task = Task(
        kind=CODE,
        paths=tuple(path.resolve() for path in paths),
        readable=python_folders(),
        rules=tuple(rules),
        with_played=with_played,
    )
    with ReadingProcess(task) as process:
        lines = process.answers()
    return [
        inspection_at(path if path.is_dir() else path.parent, second, first)
        for path, first, second in zip(task.paths, lines[::2], lines[1::2], strict=True)
    ]


def read_digests(paths: Sequence[Path]) -> list[str | None]:
    """The digest of the names and contents of all files at each path; None if it takes too long."""
    task = Task(kind=DIGESTS, paths=tuple(path.resolve() for path in paths), readable=python_folders())
    with ReadingProcess(task) as process:
        return [decode_or_none(str, line) for line in process.answers()[1::2]]


def read_ids(path: Path, staging: Path) -> list[str]:
    """The ids that the submissions at a path get. `staging` is an empty folder."""
    paths = (path.resolve(),)
    with ReadingProcess(Task(kind=IDS, paths=paths, readable=python_folders(), staging=staging.resolve())) as process:
        (line,) = process.answers()
    return list(decode(tuple[str, ...], line))


def folder_use(folder: Path, *, single: bool | None = None) -> FolderUse:
    """What a folder is used for. Raises `IntakeError` if that is unclear."""
    folder = folder.resolve()
    with Scratch() as scratch:
        task = Task(
            kind=FOLDER_USE,
            paths=(folder,),
            readable=python_folders(),
            staging=Path(scratch.folder),
            single=single,
        )
        with ReadingProcess(task) as process:
            (line,) = process.answers()
    return decode(FolderUse, line)


def _submission(line: bytes, staging: Path) -> Submission:
    submission = decode(Submission, line)
    return replace(submission, folder=staging / submission.id)


def _inspected(submission: Submission, line: bytes) -> tuple[Submission, Inspection]:
    if submission.problem is not None:
        return submission, Inspection(entry=None, findings=(submission.problem,))
    inspection = inspection_at(submission.folder, line)
    if inspection.findings == (INVALID.finding(),):
        submission = replace(submission, problem=INVALID.finding())
    return submission, inspection


def inspection_at(root: Path, line: bytes, failed: bytes = NOTHING) -> Inspection:
    """What was read from the code in a folder, or why it could not be."""
    if failed != NOTHING:
        return Inspection(entry=None, findings=(decode(Failure, failed).finding(),))
    inspection = decode_or_none(Inspection, line)
    if inspection is None or not _is_inside(root, inspection):
        return Inspection(entry=None, findings=(INVALID.finding(),))
    entry = inspection.entry
    return inspection if entry is None else replace(inspection, entry=replace(entry, root=root))


def _is_inside(root: Path, inspection: Inspection) -> bool:
    """Whether everything that it names is in its folder: the process that said so may have been taken over."""
    entry = inspection.entry
    if entry is None:
        return True
    relative = [entry.file, *(file for file, _ in entry.stubs)]
    absolute = [*entry.readable, *inspection.data_files]
    return (
        not entry.paths
        and all(not file.is_absolute() and ".." not in file.parts for file in relative)
        and all(file.is_relative_to(root) and ".." not in file.parts for file in absolute)
    )


def python_folders() -> tuple[str, ...]:
    """What a process that reads submissions may read besides them: Python, the installed packages, and the grader."""
    stdlib = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
    folders = [*stdlib, *site.getsitepackages(), str(ROOT / "grader"), *SYSTEM]
    packages = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    return tuple(dict.fromkeys([*folders, *packages]))
