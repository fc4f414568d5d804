"""A zip as a tree of nodes. Nothing in it is believed: not its names, its sizes, nor that it is a zip."""

import re
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from grader.intake.file_tree import FileNode, Refused, is_ignored, special_file_finding
from grader.intake.names import printable
from grader.intake.submission import StagingFault
from grader.language import Message, say
from grader.records import Finding

MAX_DIRECTORY = 8_000_000
"""Bytes of a zip's table of contents: some hundred thousand files, a second to read."""
_UTF8_NAME = 0x800
_ENCRYPTED = 0x1
_DRIVE = re.compile(r"[A-Za-z]:")

BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
    struct.error,
)
"""All that `zipfile` raises for a file that is no zip, only half of one, locked, or packed in a way that it cannot read."""


def open_zip(node: FileNode, scratch: Path, stack: ExitStack) -> FileNode:
    """The zip in a file as a folder. Raises `Refused` if it cannot be read. It stays open as long as the stack."""
    assert node.read is not None
    with refuse_broken_zip(node.name):
        file = stack.enter_context(node.read())
        if node.packed is not None:  # a zip inside a zip: seeking in it would unpack it again and again
            file = stack.enter_context(_copy(file, scratch))
        archive = stack.enter_context(zipfile.ZipFile(_LimitedFile(file)))
        infos = archive.infolist()
    folder = _Folder()
    for info in infos:
        _add_member(folder, info, archive)
    return FileNode(node.stem, listing=folder.nodes)


@contextmanager
def refuse_broken_zip(name: str) -> Iterator[None]:
    """Turn what `zipfile` raises into the finding that says so."""
    try:
        yield
    except BROKEN as error:
        name, problem = printable(name), _problem(error)
        text = say("{name} is not a zip that can be unpacked: {problem}.", name=name, problem=problem)
        help_ = say("Pack the files again, as an ordinary zip without a password, and submit that.")
        raise Refused(Finding(code="broken_zip", file=name, text=text, help=help_)) from error


def _problem(error: Exception) -> str:
    if error.args and isinstance(error.args[0], Message):
        return error.args[0]
    if isinstance(error, zipfile.BadZipFile) and error.args[:1] == ("File is not a zip file",):
        return say("it is no zip at all, or was cut off")
    return printable(str(error)) or say("it ends too early")


def _copy(file: IO[bytes], scratch: Path) -> IO[bytes]:
    copy = tempfile.TemporaryFile(dir=scratch)  # noqa: SIM115  the caller's stack closes it
    while chunk := file.read(1 << 20):
        try:
            copy.write(chunk)
        except OSError as error:
            raise StagingFault.cannot_write(scratch, error) from error
    copy.seek(0)
    return copy


class _LimitedFile:
    """A zip's file that is never read in one piece beyond a limit.

    `zipfile` reads the whole table of contents at once, as large as the file says, and keeps an object for each entry.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek = file.seek
        self.tell = file.tell
        self.seekable = file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > MAX_DIRECTORY:
            raise zipfile.BadZipFile(say("it lists too many files"))
        return self._file.read(size)


@dataclass(slots=True)
class _Folder:
    """A folder of a zip while it is put together."""

    folders: dict[str, "_Folder"] = field(default_factory=dict)
    files: dict[str, FileNode] = field(default_factory=dict)
    """By name: of two with the same, the last counts, as with every unpacker."""

    def subfolder(self, parts: Iterable[str]) -> "_Folder":
        folder = self
        for part in parts:
            folder = folder.folders.setdefault(part, _Folder())
        return folder

    def nodes(self) -> Sequence[FileNode]:
        clashes = self.folders.keys() & self.files.keys()
        files = [
            FileNode(node.name, refused=_clash_finding(printable(node.name))) if node.name in clashes else node
            for node in self.files.values()
        ]
        return [*files, *(FileNode(name, listing=folder.nodes) for name, folder in self.folders.items())]


def _add_member(root: _Folder, info: zipfile.ZipInfo, archive: zipfile.ZipFile) -> None:
    written = member_name(info)
    parts = safe_parts(written)
    if parts is None:
        # Whose it is can be told by its first folder, if that is one; so a class's zip is not refused for one of its members.
        first = re.split(r"[/\\]", written)[0]
        own = safe_parts(first) and not is_ignored(first) and first != written
        name, help_ = printable(written), say("Pack the folder again with an ordinary program and submit that.")
        text = say("The zip holds a file called {name}, which would lie outside its folder.", name=name)
        refused = Finding(code="zip_slip", file=name, text=text, help=help_)
        # Under a name that nothing ignores.
        root.subfolder([first] if own else []).files[written] = FileNode(f"outside {name}", refused=refused)
    elif parts and written[-1] in "/\\":
        root.subfolder(parts)
    elif parts:
        root.subfolder(parts[:-1]).files[parts[-1]] = _member(parts[-1], info, archive)


def member_name(info: zipfile.ZipInfo) -> str:
    """The name of a member as it was meant: many programs write UTF-8 without saying so."""
    if info.flag_bits & _UTF8_NAME:
        return info.orig_filename
    try:
        return info.orig_filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.orig_filename


def safe_parts(name: str) -> tuple[str, ...] | None:
    """The folders and the file that a member's name means, or None if it leads, or could lead, out of the zip."""
    parts = re.split(r"[/\\]", name)
    if not parts[0] or "\0" in name or ".." in parts or _DRIVE.match(name):
        return None
    return tuple(part for part in parts if part not in ("", "."))


def _member(name: str, info: zipfile.ZipInfo, archive: zipfile.ZipFile) -> FileNode:
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) and not stat.S_ISREG(mode):
        return FileNode(name, refused=special_file_finding(name, mode))
    if info.flag_bits & _ENCRYPTED:
        text = say("The zip is locked with a password, so {name} cannot be read.", name=printable(name))
        help_ = say("Pack it again without a password and submit that.")
        return FileNode(name, refused=Finding(code="encrypted_zip", file=printable(name), text=text, help=help_))
    return FileNode(name, size=info.file_size, packed=info.compress_size, read=lambda: archive.open(info))


def _clash_finding(name: str) -> Finding:
    text = say("The zip holds both a file and a folder called {name}.", name=name)
    return Finding(code="broken_zip", file=name, text=text, help=say("Pack the files again and submit that."))
