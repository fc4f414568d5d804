"""The upload of one student or group, before it is copied and gets its final id."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from grader.intake.file_tree import FileNode, virtual_folder
from grader.intake.names import printable
from grader.language import say
from grader.records import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """One submission in its original place."""

    id: str
    """The id from the platform or the folder: not yet safe or unique."""
    name: str
    content: FileNode
    source: str
    """The file or folder that it comes from, which distinguishes uploads with the same id."""
    platform: str = "plain"
    members: tuple[str, ...] = ()
    submitted_at: datetime | None = None
    due: datetime | None = None
    """The deadline, if the platform gives it."""
    extended: bool = False
    """Whether this deadline is later than the others'."""
    attempts: int = 1
    findings: tuple[Finding, ...] = ()


def plain_upload(node: FileNode) -> Upload:
    """A file or folder as one submission, with its name as the id.

    A folder keeps its own name as a wrapper, because its code may import from itself by that name.
    """
    return Upload(id=node.stem, name=node.stem, content=virtual_folder("", [node]), source=node.name)


def copy_finding(source: str) -> Finding:
    """The finding that a second copy of the same files is ignored."""
    text = say("{source} contains the same files and was ignored.", source=source)
    return Finding(code="copy_left_out", text=text, help=say("No action needed."))


def latest_attempt_finding(chosen: str, others: Sequence[str]) -> Finding:
    """The finding about which of several attempts is graded."""
    listed = ", ".join(printable(other) for other in others[:5])
    if len(others) > 5:
        listed = say("{listed} and {more} more", listed=listed, more=len(others) - 5)
    text = say(
        "Graded the latest of {count} attempts, {chosen}; ignored: {listed}.",
        count=len(others) + 1,
        chosen=printable(chosen),
        listed=listed,
    )
    help_ = say("To grade another attempt, leave only that one in the folder.")
    return Finding(code="latest_attempt", text=text, help=help_)
