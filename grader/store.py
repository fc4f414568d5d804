"""The store: the results of a run in one SQLite file, with one row per finished match.

A match is stored under a key made from everything that can affect it, and is never played again. So a run that was killed
resumes where it stopped, only the games of a changed submission are played again, and identical submissions share theirs.
"""

import errno
import hashlib
import io
import json
import os
import sqlite3
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import IO, Any

from grader.errors import GraderError, OptionError
from grader.language import Message, say
from grader.records import MatchRecord, as_json, read_record

if sys.platform != "win32":
    import fcntl

FILE = "results.sqlite"
NOT_OURS = (AttributeError, LookupError, TypeError, ValueError, ArithmeticError, RecursionError)
"""The exceptions raised by reading data that the grader did not write."""
_FULL = ("full",)
_FORBIDDEN = ("readonly", "unable to open", "access permission")
_TEMPORARY = (*_FULL, *_FORBIDDEN, "locked", "disk i/o", "interrupted")
"""Parts of SQLite's messages about problems of the disk or the folder, while the file itself is intact."""


class StoreError(GraderError):
    """The results cannot be read or written."""


class UnreadableMatch(StoreError):
    """What is stored for a match is not a valid record."""

    @property
    def problem(self) -> str:
        """What is wrong with it, without the file."""
        problem: str = self.args[1]
        return problem


class Store:
    """The store of a results folder. Only one command at a time can open it for writing."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _lock_file(folder / ".lock")
            if not _is_plain_file(folder / FILE):
                raise OSError(errno.EINVAL, f"{FILE} is not a plain file")
        except OSError as error:
            raise _cannot_be_written(folder, error) from error
        self._take_lock(folder)
        self._file = folder / FILE
        try:
            if not self._file.exists():
                _create_database(self._file)
            self._connection = sqlite3.connect(self._file, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
        except sqlite3.Error as error:
            self._lock.close()
            raise self._database_error(error) from error
        except OSError as error:
            self._lock.close()
            raise _cannot_be_written(folder, error) from error

    @staticmethod
    def check(folder: Path) -> None:
        """Raise `OptionError` if there are no results in a folder."""
        if not (folder / FILE).is_file():
            raise OptionError(
                say("{folder} contains no results. Give a folder written by `grader run`.", folder=str(folder))
            )

    @classmethod
    def open_read_only(cls, folder: Path) -> "Store":
        """Open the current results without a lock and without writing anything, so that an archived folder can be read."""
        cls.check(folder)
        self = cls.__new__(cls)
        self._lock = io.BytesIO()
        self._file = folder / FILE
        # Without a write-ahead log, no process is writing. Then the file can be read even in a read-only folder.
        has_log = self._file.with_name(f"{FILE}-wal").exists()
        mode = "mode=ro" if has_log else "mode=ro&immutable=1"
        with self._translate_errors():
            self._connection = sqlite3.connect(
                f"{self._file.resolve().as_uri()}?{mode}", uri=True, isolation_level=None
            )
            # An invalid text is reported when it is parsed.
            self._connection.text_factory = partial(str, encoding="utf-8", errors="replace")
            self._connection.execute("SELECT key, finished, record, name, value FROM matches, notes LIMIT 1")
        return self

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store and release its lock."""
        self._connection.close()
        self._lock.close()

    def add(self, matches: Iterable[tuple[str, MatchRecord]]) -> None:
        """Store finished matches, all of them or none. Existing ones are not replaced."""
        now = time.time()
        rows = [(key, now, json.dumps(as_json(record), separators=(",", ":"))) for key, record in matches]
        with self._translate_errors(), self._connection:
            self._connection.execute("BEGIN")
            self._connection.executemany("INSERT OR IGNORE INTO matches VALUES (?, ?, ?)", rows)
            self._connection.execute("COMMIT")

    def get(self, key: str) -> MatchRecord | None:
        """The match with this key, or None if it has not been played. Raises `UnreadableMatch`."""
        rows = self._rows("SELECT record FROM matches WHERE key = ?", key)
        if not rows:
            return None
        try:
            return read_record(json.loads(rows[0][0]))
        except NOT_OURS as error:
            why = error.text if isinstance(error, GraderError) else str(error)
            problem = say(
                "{file}: game {key} cannot be read: {problem}. `grader verify` shows whose it is. Restore the folder from a "
                "backup, or grade again into another one with -o.",
                file=str(self._file),
                key=key[:12],
                problem=why,
            )
            raise UnreadableMatch(problem, why) from error

    def keys(self) -> tuple[str, ...]:
        """The keys of all matches, in the order in which they ended."""
        return tuple(key for (key,) in self._rows("SELECT key FROM matches ORDER BY finished, key"))

    def has(self, key: str) -> bool:
        """Whether the match with this key has been played."""
        return bool(self._rows("SELECT 1 FROM matches WHERE key = ?", key))

    def finish_time(self, key: str) -> str:
        """When the match with this key ended, in ISO 8601; empty if it has not been played."""
        rows = self._rows("SELECT finished FROM matches WHERE key = ?", key)
        try:
            return datetime.fromtimestamp(rows[0][0], timezone.utc).isoformat(timespec="seconds") if rows else ""
        except (TypeError, ValueError, OverflowError, OSError) as error:
            raise self.unreadable_error(error) from error

    def digest(self, key: str) -> str:
        """A hash of the record of the match with this key, and when it ended; empty if it has not been played."""
        rows = self._rows("SELECT finished, record FROM matches WHERE key = ?", key)
        return hashlib.sha256(f"{key} {rows[0][0]!r} {rows[0][1]}".encode()).hexdigest() if rows else ""

    def note(self, notes: Mapping[str, Any]) -> None:
        """Store or replace notes about the competition itself, by name, all of them or none."""
        rows = [(name, json.dumps(value)) for name, value in notes.items()]
        with self._translate_errors(), self._connection:
            self._connection.execute("BEGIN")
            self._connection.executemany("INSERT OR REPLACE INTO notes VALUES (?, ?)", rows)
            self._connection.execute("COMMIT")

    def read_note(self, name: str) -> Any:
        """The note with this name, or None."""
        rows = self._rows("SELECT value FROM notes WHERE name = ?", name)
        try:
            return json.loads(rows[0][0]) if rows else None
        except NOT_OURS as error:
            raise self.unreadable_error(error) from error

    def unreadable_error(self, problem: Exception) -> StoreError:
        """The error for data that the grader did not write."""
        return StoreError(
            say(
                "{file} contains data that the grader did not write ({problem}). Restore the folder from a backup, or grade "
                "again into another one with -o.",
                file=str(self._file),
                problem=repr(problem)[:200],
            )
        )

    def _rows(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        with self._translate_errors():
            try:
                return self._connection.execute(query, values).fetchall()
            except UnicodeEncodeError as error:  # a key that is not valid text
                raise self.unreadable_error(error) from error

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._database_error(error) from error

    def _take_lock(self, folder: Path) -> None:
        if sys.platform == "win32":
            return
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            raise StoreError(
                say(
                    "{folder}: another grader process is using these results. Wait until it has finished, or choose "
                    "another folder with -o.",
                    folder=str(folder),
                )
            ) from None

    def _database_error(self, error: sqlite3.Error) -> StoreError:
        temporary = isinstance(error, sqlite3.OperationalError) and any(
            part in str(error).lower() for part in _TEMPORARY
        )
        if not temporary:  # it is damaged, or not a database at all
            return StoreError(
                say(
                    "{file}: {problem}. Restore the folder from a backup, or grade again into another one with -o.",
                    file=str(self._file),
                    problem=str(error),
                )
            )
        text = str(error).lower()
        return StoreError(
            say(
                "{file}: {problem}. Finished games are saved: {advice}, then run it again.",
                file=str(self._file),
                problem=str(error),
                advice=_advice(
                    full=any(part in text for part in _FULL), forbidden=any(part in text for part in _FORBIDDEN)
                ),
            )
        )


def disk_advice(error: OSError) -> Message:
    """What to do about a file that cannot be written, as part of a sentence."""
    return _advice(
        full=error.errno in (errno.ENOSPC, errno.EDQUOT),
        forbidden=error.errno in (errno.EACCES, errno.EPERM, errno.EROFS),
    )


def _advice(*, full: bool, forbidden: bool) -> Message:
    if full:
        return say("free some space")
    if forbidden:
        return say("get permission to read and write the folder and its files, or copy the folder elsewhere")
    return say("check the disk and the folder")


def _cannot_be_written(folder: Path, error: OSError) -> StoreError:
    if os.access(
        folder / FILE, os.F_OK
    ):  # also the commands that only read results, and have no -o, write their reports
        return StoreError(
            say(
                "{folder}: the results cannot be written there ({problem}): {advice}.",
                folder=str(folder),
                problem=str(error.strerror),
                advice=disk_advice(error),
            )
        )
    return StoreError(
        say(
            "{folder}: the results cannot be written there ({problem}). Choose another folder with -o.",
            folder=str(folder),
            problem=str(error.strerror),
        )
    )


def _create_database(file: Path) -> None:
    """Create the database with its tables, all at once: a grader that is killed meanwhile leaves no database without tables."""
    unfinished = file.with_name(f".{FILE}.new")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(unfinished)) as connection:
        connection.execute("CREATE TABLE matches (key TEXT PRIMARY KEY, finished REAL NOT NULL, record TEXT NOT NULL)")
        connection.execute("CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    unfinished.replace(file)


def _lock_file(file: Path) -> IO[bytes]:
    """Open the file to lock, never following a link or opening a pipe that was put in its place."""
    if not _is_plain_file(file):
        file.unlink()
    return os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644), "r+b")


def _is_plain_file(file: Path) -> bool:
    """Whether a path is an ordinary file, or does not exist."""
    try:
        return stat.S_ISREG(file.lstat().st_mode)
    except FileNotFoundError:
        return True
