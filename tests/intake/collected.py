"""Collect submissions in this process, which is quicker than in others: the tests' files are known."""

from datetime import datetime
from pathlib import Path

from grader.intake.collect import collect as collect_with
from grader.intake.reader import PlainReader
from grader.intake.submission import Submission
from grader.similarity.documents import Document, code_document, submission_document


def collect(
    path: Path, staging: Path, *, due: datetime | None = None, single: bool | None = None
) -> tuple[Submission, ...]:
    return collect_with(path, staging, PlainReader(), due=due, single=single)


def documents(path: Path, staging: Path) -> list[Document]:
    """The submissions at a path, to be compared."""
    return [
        submission_document(each, code_document(each.id, each.folder) if each.problem is None else None)
        for each in collect(path, staging)
    ]
