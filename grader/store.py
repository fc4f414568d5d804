"""The results of a run, in one SQLite file: a row a finished match, known by everything that can change it.

Whatever is in here has been played and is never played again; whatever is not has not. So a run that was killed goes on
where it was, a changed submission replays only its own games, and identical submissions share theirs.
"""

import errno
import json
import os
import sqlite3
import stat
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from grader.errors import GraderError
from grader.records import MatchRecord, as_json, read_record

if sys.platform != "win32":
    import fcntl

FILE = "results.sqlite"


class StoreError(GraderError):
    """The results cannot be read or written."""


def _lock_file(file: Path) -> IO[bytes]:
    """The file to lock, never through a link or a pipe that somebody put in its place."""
    if not _plain(file):
        file.unlink()
    return os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644), "r+b")


def _plain(file: Path) -> bool:
    """Whether there is nothing, or an ordinary file."""
    try:
        return stat.S_ISREG(file.lstat().st_mode)
    except FileNotFoundError:
        return True


class Store:
    """Open while a command works on a results folder. One command at a time."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _lock_file(folder / ".lock")
            if not _plain(folder / FILE):
                raise OSError(errno.EINVAL, f"{FILE} is not a plain file")
        except OSError as error:
            raise StoreError(
                f"{folder}: the results cannot be written there ({error.strerror}). Name another folder with -o."
            ) from error
        self._hold(folder)
        self._file = folder / FILE
        try:
            self._connection = sqlite3.connect(self._file, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS matches (key TEXT PRIMARY KEY, finished REAL NOT NULL, record TEXT NOT NULL)"
            )
            self._connection.execute("CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        except sqlite3.Error as error:
            self._lock.close()
            raise self._broken(error) from error

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others in."""
        self._connection.close()
        self._lock.close()

    def add(self, matches: Iterable[tuple[str, MatchRecord]]) -> None:
        """Keep finished matches, all of them or none. What is there already stays."""
        now = time.time()
        rows = [(key, now, json.dumps(as_json(record), separators=(",", ":"))) for key, record in matches]
        try:
            with self._connection:
                self._connection.execute("BEGIN")
                self._connection.executemany("INSERT OR IGNORE INTO matches VALUES (?, ?, ?)", rows)
                self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._broken(error) from error

    def get(self, key: str) -> MatchRecord | None:
        """The match of that key, if it has been played."""
        try:
            row = self._connection.execute("SELECT record FROM matches WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise self._broken(error) from error
        return read_record(json.loads(row[0])) if row else None

    def has(self, key: str) -> bool:
        """Whether the match of that key has been played."""
        return self._connection.execute("SELECT 1 FROM matches WHERE key = ?", (key,)).fetchone() is not None

    def note(self, name: str, value: Any) -> None:
        """Keep something about the run itself."""
        try:
            self._connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, json.dumps(value)))
        except sqlite3.Error as error:
            raise self._broken(error) from error

    def noted(self, name: str) -> Any:
        """What was kept under a name, or None."""
        row = self._connection.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
        return json.loads(row[0]) if row else None

    def _hold(self, folder: Path) -> None:
        if sys.platform == "win32":
            return
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            raise StoreError(
                f"{folder}: another grader is working on these results. Wait until it is done, or name another folder with -o."
            ) from None

    def _broken(self, error: sqlite3.Error) -> StoreError:
        return StoreError(
            f"{self._file}: {error}. Nothing that was finished before is lost: make room or mend the folder, and run it again."
        )
