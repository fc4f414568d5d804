"""Files and folders as a person names them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.language import say

if TYPE_CHECKING:
    from grader.records import MatchRecord


def save(file: str, text: str, option: str = "-o") -> None:
    """Write a file, or say why it cannot be written, and by which option to name another."""
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        hint = say("{problem}; name another file with {option}", problem=str(error.strerror), option=option)
        raise click.FileError(file, hint) from error


def save_match(file: str, record: "MatchRecord", option: str = "-o") -> None:
    """Write the record of a match, for `grader replay`."""
    from grader.records import as_json

    save(file, json.dumps(as_json(record), indent=1, ensure_ascii=False) + "\n", option)


def shown_folder(path: Path) -> str:
    """A folder as it is reached from here, if it lies below."""
    try:
        return f"{path.relative_to(Path.cwd())}/"
    except ValueError:
        return f"{path}/"
