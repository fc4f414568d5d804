"""The stored index: the code of former years and public solutions, read once and kept for the next comparison.

An entry is a file, named after a digest of everything that can change it: the contents of the folder, the grader and Python.
It starts with a digest of itself; a damaged entry is read again from the folder. Entries contain students' code, so only the
user may read them, and those that were not used for a long time are removed.
"""

import hashlib
import os
import re
import sys
import tempfile
import time
import zlib
from contextlib import suppress
from pathlib import Path

from grader.errors import RecordError
from grader.inspection.players import source_digest
from grader.reading.codec import decode, encode
from grader.sandbox.file_access import ROOT
from grader.similarity.documents import Document

KEEP_DAYS = 400
"""How long an entry is kept after its last use: until the next year's course."""
_SUFFIX = ".index"
_ENTRY = re.compile(rf"[0-9a-f]{{64}}{re.escape(_SUFFIX)}")
_DIGEST_SIZE = 32


class DamagedEntryError(Exception):
    """An entry is not what was stored."""


def default_index() -> Path:
    """The folder for the index: in the user's cache folder."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local")
    elif sys.platform == "darwin":
        base = home / "Library/Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "grader" / "similarity"


class SourceIndex:
    """The index in a folder, which is created with the first entry."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._version = f"{source_digest(ROOT / 'grader')} {sys.version}"

    def load(self, digest: str) -> tuple[Document, ...] | None:
        """The documents of the folder with this digest, if it is stored. Raises `DamagedEntryError` and `OSError`."""
        file = self._file(digest)
        try:
            content = file.read_bytes()
        except FileNotFoundError:
            return None
        found = _documents(content)
        with suppress(OSError):
            os.utime(file)
        return found

    def store(self, digest: str, documents: tuple[Document, ...]) -> None:
        """Store the documents of a folder, all or nothing, and remove old entries. Raises `OSError`."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        packed = zlib.compress(encode(documents), 6)
        with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:  # only its owner may read it
            try:
                file.write(hashlib.sha256(packed).digest() + packed)
                file.close()
                Path(file.name).replace(self._file(digest))
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
        self._remove_old()

    def _file(self, digest: str) -> Path:
        key = hashlib.sha256(f"{digest} {self._version}".encode()).hexdigest()
        return self.folder / f"{key}{_SUFFIX}"

    def _remove_old(self) -> None:
        """Remove what was not used for a long time, but only files that an index has written."""
        before = time.time() - KEEP_DAYS * 86_400
        for file in self.folder.iterdir():
            if _ENTRY.fullmatch(file.name):
                with suppress(OSError):
                    if file.stat().st_mtime < before:
                        file.unlink()


def _documents(content: bytes) -> tuple[Document, ...]:
    digest, packed = content[:_DIGEST_SIZE], content[_DIGEST_SIZE:]
    if hashlib.sha256(packed).digest() != digest:
        raise DamagedEntryError
    try:
        found = decode(tuple[Document, ...], zlib.decompress(packed))
    except (RecordError, zlib.error) as error:
        raise DamagedEntryError from error
    if not all(document.is_consistent for document in found):
        raise DamagedEntryError
    return found
