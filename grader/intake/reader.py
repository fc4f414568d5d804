"""How the intake reads what students wrote, so that this can be done somewhere safe.

`collect` decides what the submissions are. Opening a student's zip, parsing its files and copying a submission can take any time or
memory, or crash Python, so it asks a `Reader` for these. `grader.reading` has the one that commands use.
"""

from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from grader.intake.archive import open_zip
from grader.intake.file_tree import FileNode, Refusal
from grader.intake.signs import Signs, read_signs
from grader.intake.staging import StagedFiles, stage


class Reader(Protocol):
    """Reads what students wrote."""

    def signs(self, node: FileNode) -> Signs:
        """What a file or folder says about whether it is a submission."""

    def can_list(self, node: FileNode, scratch: Path) -> bool:
        """Whether the contents of a zip can be listed."""

    def stage(self, content: FileNode, folder: Path, scratch: Path) -> StagedFiles:
        """Copy a submission to a new folder."""


class PlainReader:
    """Reads in this process, without limits: only for files that are trusted, or in a process that is limited itself."""

    def signs(self, node: FileNode) -> Signs:
        return read_signs(node)

    def can_list(self, node: FileNode, scratch: Path) -> bool:
        try:
            with ExitStack() as stack:
                open_zip(node, scratch, stack)
        except Refusal:
            return False
        return True

    def stage(self, content: FileNode, folder: Path, scratch: Path) -> StagedFiles:
        return stage(content, folder, scratch)
