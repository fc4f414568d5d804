"""Functions that tamper with saved results."""

import json
import sqlite3
from pathlib import Path

from grader.results import saved
from grader.store import Store


def tamper(results: Path, change) -> None:
    """Apply a function to the JSON of every saved game."""
    with sqlite3.connect(results / "results.sqlite") as connection:
        for key, text in connection.execute("SELECT key, record FROM matches").fetchall():
            record = json.loads(text)
            change(record)
            connection.execute("UPDATE matches SET record = ? WHERE key = ?", (json.dumps(record), key))
    connection.close()


def tamper_with_note(results: Path, change, name: str = "competition") -> None:
    """Apply a function to the saved run or tournament."""
    with sqlite3.connect(results / "results.sqlite") as connection:
        note = json.loads(connection.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()[0])
        change(note)
        connection.execute("UPDATE notes SET value = ? WHERE name = ?", (json.dumps(note), name))
    connection.close()


def execute(results: Path, statement: str) -> None:
    """Execute a statement on the results database."""
    with sqlite3.connect(results / "results.sqlite") as connection:
        connection.execute(statement)
    connection.close()


def save_hashes_again(results: Path) -> None:
    """Save the hashes of all games as they are now, as if they had been played like this."""
    with Store(results) as store:
        note = store.read_note(saved.NOTE)
        note["games"] = {key: store.digest(key) for key in note["games"]}
        saved.save_note(store, note)
