"""Files and folders, on disk or inside a zip, seen the same way and never written to.

Whatever was submitted becomes a tree of `FileNode`s first. Nothing is unpacked or followed to build it, so that the
decision about what may be copied is made before a byte of it is.
"""

import io
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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
    with _report_unreadable(path):
        status = path.lstat()
    if stat.S_ISDIR(status.st_mode):
        return FileNode(path.name, listing=lambda: _list(path))
    if stat.S_ISREG(status.st_mode):
        return FileNode(path.name, size=status.st_size, read=lambda: _open(path))
    return FileNode(path.name, refused=special_file_finding(path.name, status.st_mode))


def _list(folder: Path) -> list[FileNode]:
    with _report_unreadable(folder):
        return [disk_node(folder / name) for name in sorted(os.listdir(folder)) if not is_ignored(name)]  # noqa: PTH208  names, not paths


def _open(path: Path) -> IO[bytes]:
    with _report_unreadable(path):
        return io.BufferedReader(_DiskFile(path))


class _DiskFile(io.FileIO):
    """A file that fails as ours, not as a submission's, where the disk cannot read it."""

    def readinto(self, buffer: Any) -> int | None:
        with _report_unreadable(self.name):
            return super().readinto(buffer)

    def readall(self) -> bytes:
        with _report_unreadable(self.name):
            return super().readall()


def special_file_finding(name: str, mode: int) -> Finding:
    """Why a link, a pipe or a device is not taken."""
    name = printable(name)
    if stat.S_ISLNK(mode):
        help_ = say("Put the file itself in its place and submit again.")
        return Finding(code="link", file=name, text=say("{name} is a link, not a file.", name=name), help=help_)
    text = say("{name} is a device, a pipe or a socket, not a file.", name=name)
    return Finding(code="special_file", file=name, text=text, help=say("Submit only files and folders."))


@contextmanager
def _report_unreadable(path: Path | str) -> Iterator[None]:
    """Raise `StagingFault` for what cannot be read here: that says nothing about the student who submitted it."""
    try:
        yield
    except OSError as error:
        raise StagingFault(
            say(
                "{path} cannot be read: {problem}. Give the grader the right to read it, download it again, or take it away; "
                "nothing was graded.",
                path=printable(str(path)),
                problem=error.strerror or say("the system does not say why"),
            )
        ) from error
