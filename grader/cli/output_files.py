"""Files and folders as a person names them."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.language import say

if TYPE_CHECKING:
    from grader.records import MatchRecord


class FileToWrite(click.Path):
    """A file that will be written. Whether it can be is known before anything is played for it."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, writable=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse a file whose folder is not there, or not to be written to."""
        file = os.fsdecode(super().convert(value, param, ctx))
        folder = Path(file).parent
        if not folder.is_dir():
            self.fail(say("there is no folder {folder}", folder=str(folder)), param, ctx)
        if not os.access(folder, os.W_OK):
            self.fail(say("nothing can be written in {folder}", folder=str(folder)), param, ctx)
        return file


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


def relative_folder(path: Path) -> str:
    """A folder as it is reached from here, if it lies below."""
    try:
        return f"{path.relative_to(Path.cwd())}/"
    except ValueError:
        return f"{path}/"
