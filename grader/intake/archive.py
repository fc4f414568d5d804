"""Read a zip as a tree of files. Nothing in it is trusted: neither names nor sizes, nor that it is a zip."""

import lzma
import re
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import IO

from grader.intake.file_tree import FileNode, Refusal, is_ignored, special_file_finding
from grader.intake.names import printable
from grader.intake.submission import StagingFault
from grader.language import Message, say
from grader.records import Finding

MAX_DIRECTORY = 8_000_000
"""The largest table of contents of a zip, in bytes: a few hundred thousand files, which take a second to read."""
_UTF8_NAME = 0x800
_NO_YEAR = 1980
_ENCRYPTED = 0x1
_DRIVE = re.compile(r"[A-Za-z]:")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What all programs write. Others are slow or take as much memory as the zip asks for: 4 GB for a dictionary of LZMA."""
_ZIP_AGAIN = say("Create the zip again and submit it.")
_NO_PASSWORD = say("Create the zip again, without a password, and submit it.")

BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
    struct.error,
    lzma.LZMAError,
    OverflowError,
    LookupError,
    MemoryError,
)
"""Everything that `zipfile` raises for a file that is not a zip, truncated, encrypted or of an unsupported kind."""


def open_zip(node: FileNode, scratch: Path, stack: ExitStack) -> FileNode:
    """A zip file as a folder. Raises `Refusal` if it cannot be read. It stays open until the stack is closed."""
    assert node.read is not None
    with refuse_broken_zip(node.name):
        file = stack.enter_context(node.read())
        if node.packed is not None:  # a zip inside a zip: each seek would unpack it from the start
            file = stack.enter_context(_copy(file, scratch))
        archive = stack.enter_context(zipfile.ZipFile(_LimitedFile(file)))
        infos = archive.infolist()
    folder = _Folder()
    for info in infos:
        _add_member(folder, info, archive)
    return FileNode(node.stem, listing=folder.nodes)


@contextmanager
def refuse_broken_zip(name: str) -> Iterator[None]:
    """Turn the exceptions of `zipfile` into a `Refusal` with a finding."""
    try:
        yield
    except BROKEN as error:
        name, problem = printable(name), _problem(error)
        text = say("{name} cannot be opened: {problem}.", name=name, problem=problem)
        raise Refusal(Finding(code="broken_zip", file=name, text=text, help=_ZIP_AGAIN)) from error


def _problem(error: Exception) -> str:
    if error.args and isinstance(error.args[0], Message):
        return error.args[0]
    if isinstance(error, zipfile.BadZipFile) and error.args[:1] == ("File is not a zip file",):
        return say("it is not a zip file, or the upload is incomplete")
    return printable(str(error)) or say("it is incomplete")


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
    """A zip file of which only a limited number of bytes can be read at once.

    `zipfile` reads the whole table of contents at once, with the size that the file claims, and keeps every entry.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek = file.seek
        self.tell = file.tell
        self.seekable = file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > MAX_DIRECTORY:
            raise zipfile.BadZipFile(say("it contains too many files"))
        return self._file.read(size)


@dataclass(slots=True)
class _Folder:
    """A folder of a zip while the tree is built."""

    folders: dict[str, "_Folder"] = field(default_factory=dict)
    files: dict[str, FileNode] = field(default_factory=dict)
    """By name: of two files with the same name the last counts, as in all unpackers."""

    def subfolder(self, parts: Iterable[str]) -> "_Folder":
        folder = self
        for part in parts:
            folder = folder.folders.setdefault(part, _Folder())
        return folder

    def nodes(self) -> Sequence[FileNode]:
        clashes = self.folders.keys() & self.files.keys()
        files = [
            FileNode(node.name, refusal=_clash_finding(printable(node.name))) if node.name in clashes else node
            for node in self.files.values()
        ]
        return [*files, *(FileNode(name, listing=folder.nodes) for name, folder in self.folders.items())]


def _add_member(root: _Folder, info: zipfile.ZipInfo, archive: zipfile.ZipFile) -> None:
    written = member_name(info)
    parts = safe_parts(written)
    if parts is None:
        # Blame only the first folder on the path, if it is safe, so that one file does not spoil the zip of a whole class.
        first = re.split(r"[/\\]", written)[0]
        own = safe_parts(first) and not is_ignored(first) and first != written
        name, help_ = printable(written), say("Create the zip again and submit it.")
        text = say("The zip contains {name}, which would be unpacked outside its folder.", name=name)
        refusal = Finding(code="zip_slip", file=name, text=text, help=help_)
        # The new name makes sure that the file is not ignored.
        root.subfolder([first] if own else []).files[written] = FileNode(f"outside {name}", refusal=refusal)
    elif parts and written[-1] in "/\\":
        root.subfolder(parts)
    elif parts:
        root.subfolder(parts[:-1]).files[parts[-1]] = _member(parts[-1], info, archive)


def member_name(info: zipfile.ZipInfo) -> str:
    """The name of a member, decoded: many programs write UTF-8 without setting the flag for it."""
    if info.flag_bits & _UTF8_NAME:
        return info.orig_filename
    try:
        return info.orig_filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.orig_filename


def safe_parts(name: str) -> tuple[str, ...] | None:
    """The folders and the file in a member's name, or None if the path could lead out of the zip."""
    parts = re.split(r"[/\\]", name)
    if not parts[0] or "\0" in name or ".." in parts or _DRIVE.match(name):
        return None
    return tuple(part for part in parts if part not in ("", "."))


def _member(name: str, info: zipfile.ZipInfo, archive: zipfile.ZipFile) -> FileNode:
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) and not stat.S_ISREG(mode):
        return FileNode(name, refusal=special_file_finding(name, mode))
    if info.flag_bits & _ENCRYPTED:
        text = say("The zip has a password, so {name} cannot be read.", name=printable(name))
        return FileNode(name, refusal=Finding(code="encrypted_zip", file=printable(name), text=text, help=_NO_PASSWORD))
    if info.compress_type not in _METHODS:
        text = say("{name} is compressed in an unsupported way.", name=printable(name))
        help_ = say("Create the zip again with the standard compression (deflate), and submit it.")
        return FileNode(name, refusal=Finding(code="zip_method", file=printable(name), text=text, help=help_))
    return FileNode(
        name,
        size=info.file_size,
        packed=info.compress_size,
        read=lambda: archive.open(info),
        modified=_date(info),
    )


def _date(info: zipfile.ZipInfo) -> datetime | None:
    """The date of a member; None for the one that programs write if they have none, and for an invalid one."""
    try:
        return datetime(*info.date_time) if info.date_time[0] > _NO_YEAR else None
    except ValueError:
        return None


def _clash_finding(name: str) -> Finding:
    text = say("The zip contains both a file and a folder called {name}.", name=name)
    return Finding(code="broken_zip", file=name, text=text, help=say("Create the zip again and submit it."))
