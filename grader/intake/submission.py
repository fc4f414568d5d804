"""What the intake hands on: one record a submission, and the error for a folder that cannot be taken in at all."""

from dataclasses import dataclass
from pathlib import Path

from grader.errors import GraderError
from grader.language import say
from grader.records import Finding


class IntakeError(GraderError, ValueError):
    """The instructor's folder or roster cannot be read. What is wrong with one submission is never an error."""


class StagingFault(GraderError):
    """A disk failed us while a submission was read or copied; that is no fault of the submission."""

    @classmethod
    def cannot_write(cls, place: Path, error: OSError) -> "StagingFault":
        """Something of a submission cannot be written there."""
        return cls(
            say(
                "{place}: cannot be written: {problem}. Make room there, or name another place in TMPDIR.",
                place=str(place),
                problem=str(error.strerror),
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One submission, in a folder of its own that nobody else shares."""

    id: str
    """Safe as a file name, and unique. The platform gives it, or the folder; nothing inside the submission changes it."""
    name: str
    """To be shown, as it was given, without control characters. It may still be HTML or a formula: reports escape it."""
    folder: Path
    """Its staged copy: plain files and folders only. Empty, if there is a problem."""
    digest: str
    """SHA-256 over the sorted paths and contents of the staged files, whoever submitted them, and when."""
    contents: str = ""
    """The same over the contents alone: two that call the same files otherwise have the same."""
    platform: str = "plain"
    """Where it comes from: `plain`, `moodle`, `canvas`, `gradescope` or `nbgrader`."""
    members: tuple[str, ...] = ()
    """Of a group: the id of each member where the platform tells it, else the address, else the name."""
    submitted_at: str | None = None
    """The time, as ISO 8601 writes it, where the platform tells it."""
    late_seconds: int | None = None
    """How much later than due it was submitted, 0 if in time; None where that is not known."""
    attempts: int = 1
    """How many attempts were found. This is the latest."""
    findings: tuple[Finding, ...] = ()
    problem: Finding | None = None
    """Why it cannot be graded, if it cannot."""
