"""A read-only tree of files and folders, on disk or inside a zip.

Every submission becomes a tree of `FileNode`s first. Building it neither unpacks files nor follows links, so what may be
copied is decided before anything is copied.
"""

import io
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from grader.intake.files import IGNORED_FOLDERS
from grader.intake.names import printable
from grader.intake.submission import StagingFault
from grader.language import say
from grader.records import Finding


class Refusal(Exception):
    """A submission cannot be accepted. The intake catches it and records it as that submission's problem."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.text)
        self.finding = finding


@dataclass(frozen=True, slots=True)
class FileNode:
    """A file, a folder, or something else that is refused."""

    name: str
    size: int = 0
    packed: int | None = None
    """The compressed size of a file in a zip."""
    read: Callable[[], IO[bytes]] | None = None
    """Opens a file."""
    listing: Callable[[], Sequence["FileNode"]] | None = None
    """Lists a folder. May raise `Refusal`."""
    refusal: Finding | None = None
    """Why it must not be copied, if so."""
    modified: datetime | None = None
    """The date of a file, in local time; None if it is unknown."""

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
        """The name of a folder, or of a file without its suffix."""
        return self.name if self.is_folder else Path(self.name).stem

    def children(self) -> list["FileNode"]:
        """The contents of a folder that are not ignored, sorted by name."""
        nodes = [node for node in (self.listing() if self.listing else ()) if not is_ignored(node.name)]
        return sorted(nodes, key=lambda node: node.name)

    def with_name(self, name: str) -> "FileNode":
        return replace(self, name=name)


def is_ignored(name: str) -> bool:
    """Whether a name is a hidden file, version control, installed packages, a cache, or added by the system."""
    return name.startswith(".") or name in IGNORED_FOLDERS or name in ("Thumbs.db", "desktop.ini")


def virtual_folder(name: str, nodes: Sequence[FileNode]) -> FileNode:
    """A folder that does not exist on disk."""
    return FileNode(name, listing=lambda: nodes)


def disk_node(path: Path) -> FileNode:
    """A file or folder on disk. Links are not followed; only files and folders are opened."""
    with _report_unreadable(path):
        status = path.lstat()
    if stat.S_ISDIR(status.st_mode):
        return FileNode(path.name, listing=lambda: _list(path))
    if stat.S_ISREG(status.st_mode):
        return FileNode(path.name, size=status.st_size, read=lambda: _open(path), modified=_date(status.st_mtime))
    return FileNode(path.name, refusal=special_file_finding(path.name, status.st_mode))


def _date(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds)
    except (ValueError, OSError, OverflowError):
        return None


def _list(folder: Path) -> list[FileNode]:
    with _report_unreadable(folder):
        return [disk_node(folder / name) for name in sorted(os.listdir(folder)) if not is_ignored(name)]  # noqa: PTH208  names, not paths


def _open(path: Path) -> IO[bytes]:
    with _report_unreadable(path):
        return io.BufferedReader(_DiskFile(path))


class _DiskFile(io.FileIO):
    """A file whose read errors become a `StagingFault`: they are not the student's fault."""

    def readinto(self, buffer: Any) -> int | None:
        with _report_unreadable(self.name):
            return super().readinto(buffer)

    def readall(self) -> bytes:
        with _report_unreadable(self.name):
            return super().readall()


def special_file_finding(name: str, mode: int) -> Finding:
    """The finding about a link, a pipe or a device."""
    name = printable(name)
    if stat.S_ISLNK(mode):
        help_ = say("Replace it with the file itself and submit again.")
        return Finding(code="link", file=name, text=say("{name} is a link, not a file.", name=name), help=help_)
    text = say("{name} is a device, a pipe or a socket, not a file.", name=name)
    return Finding(code="special_file", file=name, text=text, help=say("Submit only files and folders."))


@contextmanager
def _report_unreadable(path: Path | str) -> Iterator[None]:
    """Turn read errors into `StagingFault`: they are not the student's fault."""
    try:
        yield
    except OSError as error:
        raise StagingFault(
            say(
                "{path} cannot be read: {problem}. Fix its permissions, download it again, or remove it. Nothing was graded.",
                path=printable(str(path)),
                problem=error.strerror or say("unknown reason"),
            )
        ) from error
