"""Read the games in a file that `grader match` or `grader check` wrote."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.errors import OptionError, RecordError
from grader.intake.names import printable
from grader.language import Language, say
from grader.records import MatchRecord, read_record
from grader.reports.check_page import GAMES
from grader.reports.replay import list_records

MOST_BYTES = 64_000_000
"""A record has some kilobytes; a much larger file is not read."""
_IN_A_PAGE = re.compile(rb'<script type="application/json" id="' + GAMES.encode() + rb'">(.*?)</script>', re.DOTALL)


def read_records(file: Path) -> tuple[MatchRecord, ...]:
    """The games in a file: one, a list of them, or those in the page of a check. Raises `RecordError` if there are none."""
    name = printable(file.name)
    try:
        with file.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise RecordError(say("{name} cannot be read: {why}.", name=name, why=error.strerror or "")) from error
    if len(content) > MOST_BYTES:
        raise RecordError(say("{name} is too large to be a recorded game.", name=name))
    try:
        records = _parse(content, is_page=file.suffix.lower() in (".html", ".htm"))
    except RecordError as error:
        raise RecordError(
            say(
                "{name}: {why}. Choose a file written by `grader match` or `grader check`.",
                name=name,
                why=error.args[0],
            )
        ) from error
    except (ValueError, RecursionError) as error:
        raise RecordError(
            say("{name} is not a JSON file. Choose a file written by `grader match` or `grader check`.", name=name)
        ) from error
    if not records:
        raise RecordError(say("This check played no games."))
    return records


def _parse(content: bytes, *, is_page: bool) -> tuple[MatchRecord, ...]:
    if is_page:
        found = _IN_A_PAGE.search(content)
        if found is None:
            raise RecordError(say("the page contains no games that can be replayed"))
        content = found[1]
    data: Any = json.loads(content)
    if isinstance(data, list) and not data and not is_page:
        raise RecordError(say("not a valid game record: it contains no games"))
    return tuple(map(read_record, data)) if isinstance(data, list) else (read_record(data),)


def choose_record(
    records: Sequence[MatchRecord], number: int | None, opponent: str | None, speak: Language
) -> MatchRecord | str:
    """The game with this number, or the only one with this player; a list to choose from if there are several."""
    numbered = list(enumerate(records, 1))
    names = sorted({seat.name for record in records for seat in record.seats})
    chosen = [
        (at, record)
        for at, record in numbered
        if number in (None, at) and (opponent is None or opponent in [seat.name for seat in record.seats])
    ]
    if not chosen and opponent is not None and opponent not in names:
        known = ", ".join(map(printable, names))
        raise OptionError(
            say("There is no game against {opponent}: choose from {known}.", opponent=printable(opponent), known=known)
        )
    if not chosen:
        raise OptionError(
            say(
                "There is no such game: the file contains {n} game.",
                "There is no such game: the file contains {n} games.",
                n=len(records),
            )
        )
    return chosen[0][1] if len(chosen) == 1 else list_records(chosen, speak)
