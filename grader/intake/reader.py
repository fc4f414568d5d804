"""How the intake reads what students wrote, so that this can be done somewhere safe.

`collect` decides what the submissions are. Opening a student's zip, parsing a file and copying a submission can take any time or
memory, or crash Python, so it asks a `Reader` for these. `grader.reading` has the one that commands use.
"""

from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from grader.intake.archive import BROKEN, open_zip
from grader.intake.file_tree import FileNode, Refusal
from grader.intake.staging import StagedFiles, stage
from grader.source.facts import Source
from grader.source.reading import MAX_BYTES, parse_source


class Reader(Protocol):
    """Reads what students wrote."""

    def source(self, node: FileNode) -> Source | None:
        """The facts about a Python file, or None if it cannot be read."""

    def can_list(self, node: FileNode, scratch: Path) -> bool:
        """Whether the contents of a zip can be listed."""

    def stage(self, content: FileNode, folder: Path, scratch: Path) -> StagedFiles:
        """Copy a submission to a new folder."""


class PlainReader:
    """Reads in this process, without limits: only for files that are trusted, or in a process that is limited itself."""

    def source(self, node: FileNode) -> Source | None:
        if node.read is None or node.size > MAX_BYTES:
            return None
        try:
            with node.read() as file:
                source = parse_source(Path(node.name), file.read())
        except (Refusal, *BROKEN):
            return None
        return source if isinstance(source, Source) else None

    def can_list(self, node: FileNode, scratch: Path) -> bool:
        try:
            with ExitStack() as stack:
                open_zip(node, scratch, stack)
        except Refusal:
            return False
        return True

    def stage(self, content: FileNode, folder: Path, scratch: Path) -> StagedFiles:
        return stage(content, folder, scratch)
