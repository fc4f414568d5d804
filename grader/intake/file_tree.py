"""Files and folders, on disk or inside a zip, seen the same way and never written to.

Whatever was submitted becomes a tree of `FileNode`s first. Nothing is unpacked or followed to build it, so that the
decision about what may be copied is made before a byte of it is.
"""

import io
import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from grader.intake.files import IGNORED_FOLDERS
from grader.intake.names import printable
from grader.intake.submission import StagingFault
from grader.language import say
from grader.records import Finding


class Refused(Exception):
    """A submission cannot be taken in. Never leaves the intake: it becomes that submission's problem."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.text)
        self.finding = finding


@dataclass(frozen=True, slots=True)
class FileNode:
    """A file, a folder, or something that is neither and must not be taken."""

    name: str
    size: int = 0
    packed: int | None = None
    """Of a file in a zip: what it takes up there."""
    read: Callable[[], IO[bytes]] | None = None
    """Opens a file."""
    listing: Callable[[], Sequence["FileNode"]] | None = None
    """What a folder holds. May raise `Refused`."""
    refused: Finding | None = None

    @property
    def is_folder(self) -> bool:
        return self.listing is not None

    @property
    def is_zip(self) -> bool:
        return self.read is not None and self.suffix == ".zip"

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        """The name of a folder, or that of a file without its suffix."""
        return self.name if self.is_folder else Path(self.name).stem

    def children(self) -> list["FileNode"]:
        """What a folder holds and is worth looking at, in the order of names."""
        nodes = [node for node in (self.listing() if self.listing else ()) if not is_ignored(node.name)]
        return sorted(nodes, key=lambda node: node.name)

    def with_name(self, name: str) -> "FileNode":
        return replace(self, name=name)


def is_ignored(name: str) -> bool:
    """Hidden files, version control, installed packages, caches, and what macOS adds to a zip."""
    return name.startswith(".") or name in IGNORED_FOLDERS or name in ("Thumbs.db", "desktop.ini")


def virtual_folder(name: str, nodes: Sequence[FileNode]) -> FileNode:
    """A folder that exists only here."""
    return FileNode(name, listing=lambda: nodes)


def disk_node(path: Path) -> FileNode:
    """A file or folder on disk. Links are not followed, and nothing but files and folders is opened."""
    try:
        status = path.lstat()
    except OSError as error:
        raise unreadable_fault(path, error) from error
    if stat.S_ISDIR(status.st_mode):
        return FileNode(path.name, listing=lambda: _list(path))
    if stat.S_ISREG(status.st_mode):
        return FileNode(path.name, size=status.st_size, read=lambda: _open(path))
    return FileNode(path.name, refused=special_file_finding(path.name, status.st_mode))


def _list(folder: Path) -> list[FileNode]:
    try:
        return [disk_node(folder / name) for name in sorted(os.listdir(folder)) if not is_ignored(name)]  # noqa: PTH208  names, not paths
    except OSError as error:
        raise unreadable_fault(folder, error) from error


def _open(path: Path) -> IO[bytes]:
    try:
        return io.BufferedReader(_DiskFile(path))
    except OSError as error:
        raise unreadable_fault(path, error) from error


class _DiskFile(io.FileIO):
    """A file that fails as ours, not as a submission's, where the disk cannot read it."""

    def readinto(self, buffer: Any) -> int | None:
        try:
            return super().readinto(buffer)
        except OSError as error:
            raise unreadable_fault(self.name, error) from error

    def readall(self) -> bytes:
        try:
            return super().readall()
        except OSError as error:
            raise unreadable_fault(self.name, error) from error


def special_file_finding(name: str, mode: int) -> Finding:
    """Why a link, a pipe or a device is not taken."""
    link = stat.S_ISLNK(mode)
    return Finding(
        code="link" if link else "special_file",
        file=printable(name),
        text=(
            say("{name} is a link, not a file.", name=printable(name))
            if link
            else say("{name} is a device, a pipe or a socket, not a file.", name=printable(name))
        ),
        help=say("Put the file itself in its place and submit again.")
        if link
        else say("Submit only files and folders."),
    )


def unreadable_fault(path: Path | str, error: OSError) -> StagingFault:
    """That what was handed in cannot be read here, which says nothing about who handed it in."""
    return StagingFault(
        say(
            "{path} cannot be read: {problem}. Give the grader the right to read it, download it again, or take it away; "
            "nothing was graded.",
            path=printable(str(path)),
            problem=error.strerror or say("the system does not say why"),
        )
    )
