"""Write what a person asked to have written."""

from pathlib import Path

import click


def save(file: str, text: str) -> None:
    """Write a file, or say why it cannot be written."""
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.FileError(file, hint=f"{error.strerror}; name another file with -o") from error
