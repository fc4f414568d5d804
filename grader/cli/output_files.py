"""Files and folders that a command writes."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from grader.language import say
from grader.records import MatchRecord, as_json


class FileToWrite(click.Path):
    """A file to write. Whether that is possible is checked before anything is played."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, writable=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse a file whose folder does not exist or is not writable."""
        file = os.fsdecode(super().convert(value, param, ctx))
        folder = Path(file).parent
        if not folder.is_dir():
            self.fail(say("the folder {folder} does not exist.", folder=str(folder)), param, ctx)
        if not os.access(folder, os.W_OK):
            self.fail(say("the folder {folder} is not writable.", folder=str(folder)), param, ctx)
        return file


def save(file: str, text: str, option: str = "-o") -> None:
    """Write a file, or report why that is not possible and which option names another one."""
    try:
        Path(file).write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        hint = say("{problem}; choose another file with {option}", problem=str(error.strerror), option=option)
        raise click.FileError(file, hint) from error


def save_match(file: str, record: MatchRecord, option: str = "-o") -> None:
    """Write the record of a game, for `grader replay`."""
    save(file, json.dumps(as_json(record), indent=1, ensure_ascii=False) + "\n", option)


def save_matches(file: str, records: Sequence[MatchRecord]) -> None:
    """Write the records of several games to one file, for `grader replay`."""
    save(file, json.dumps(as_json(list(records)), indent=1, ensure_ascii=False) + "\n")
