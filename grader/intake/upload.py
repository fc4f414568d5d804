"""What came from one student or group, before it is copied and gets its id."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from grader.intake.file_tree import FileNode, virtual_folder
from grader.intake.names import printable
from grader.language import say
from grader.records import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """One submission where it was found."""

    id: str
    """As the platform or the folder gives it; not yet safe, nor unique."""
    name: str
    content: FileNode
    source: str
    """The file or folder from which it comes, to tell apart those that want the same id."""
    platform: str = "plain"
    members: tuple[str, ...] = ()
    submitted_at: datetime | None = None
    due: datetime | None = None
    """When it was due, where the platform tells it."""
    extended: bool = False
    """Whether they were given longer than the others."""
    attempts: int = 1
    findings: tuple[Finding, ...] = ()


def plain_upload(node: FileNode) -> Upload:
    """A file or folder that is one submission, called by its name.

    A folder is handed on with its own name around it, for code that imports from itself by that name.
    """
    return Upload(id=node.stem, name=node.stem, content=virtual_folder("", [node]), source=node.name)


def latest_attempt_finding(chosen: str, others: Sequence[str]) -> Finding:
    """Says which of several attempts is graded."""
    listed = ", ".join(printable(other) for other in others[:5])
    if len(others) > 5:
        listed = say("{listed} and {more} more", listed=listed, more=len(others) - 5)
    text = say(
        "Of {count} attempts the latest is graded, {chosen}; left out: {listed}.",
        count=len(others) + 1,
        chosen=printable(chosen),
        listed=listed,
    )
    help_ = say("If another should count, leave only that one in the folder.")
    return Finding(code="latest_attempt", text=text, help=help_)
