"""Create zips for tests, valid and hostile ones."""

import io
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.intake.folders import Files


def zipped(files: Files) -> bytes:
    """A zip of these files."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def raw_zip(names: Mapping[str, bytes]) -> bytes:
    """A zip with exactly these names: `ZipInfo` would make some of them harmless."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in names.items():
            info = zipfile.ZipInfo("x")
            info.filename = name
            archive.writestr(info, text)
    return data.getvalue()


def with_mode(name: str, mode: int, text: str = "/etc/passwd") -> bytes:
    """A zip with a member that is not an ordinary file."""
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (mode | 0o777) << 16
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("solution.py", "pass")
        archive.writestr(info, text)
    return data.getvalue()


LINK, DEVICE, PIPE = stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO


def locked(files: Files) -> bytes:
    """A zip that claims that each member needs a password."""
    data = bytearray(zipped(files))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(signature)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(signature, at + 1)
    return bytes(data)


def put(folder: Path, files: Files) -> Path:
    """Write these files to an existing or new folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """The content of all files below a folder, by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
