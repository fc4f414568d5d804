"""The records that the intake returns, and its errors."""

from dataclasses import dataclass
from pathlib import Path

from grader.errors import GraderError
from grader.language import say
from grader.records import Finding


class IntakeError(GraderError, ValueError):
    """The instructor's folder or roster cannot be read. A problem of one submission is never an error."""


class UnclearFolderError(IntakeError):
    """A folder can be one submission or a class, and the instructor has to say which."""


class StagingFault(GraderError):
    """A disk error while reading or copying a submission, which is not the student's fault."""

    @classmethod
    def cannot_write(cls, place: Path, error: OSError) -> "StagingFault":
        """The fault for a file that cannot be written."""
        return cls(
            say(
                "{place} cannot be written: {problem}. Free some space there, or set TMPDIR to another folder.",
                place=str(place),
                problem=str(error.strerror),
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One submission, copied to its own folder."""

    id: str
    """Unique and safe as a file name. It comes from the platform or the folder, never from the submission's content."""
    name: str
    """The name to show, without control characters. It may contain HTML or a formula: reports escape it."""
    folder: Path
    """The staged copy: only plain files and folders. Empty if there is a problem."""
    digest: str
    """SHA-256 of the sorted paths and contents of the staged files."""
    contents: str = ""
    """SHA-256 of the contents alone, which stays the same if files are renamed."""
    platform: str = "plain"
    """The source: `plain`, `moodle`, `canvas`, `gradescope` or `nbgrader`."""
    members: tuple[str, ...] = ()
    """The members of a group: the id of each if the platform gives it, else the address, else the name."""
    submitted_at: str | None = None
    """The time in ISO 8601, if the platform gives it."""
    late_seconds: int | None = None
    """Seconds after the deadline, 0 if on time; None if unknown."""
    attempts: int = 1
    """The number of attempts found. This is the latest."""
    findings: tuple[Finding, ...] = ()
    problem: Finding | None = None
    """Why it cannot be graded, if so."""
