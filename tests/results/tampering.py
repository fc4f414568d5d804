"""Functions that tamper with saved results."""

import json
import sqlite3
from pathlib import Path


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
