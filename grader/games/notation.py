"""Export a match in the notation of another program, e.g. SGF."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.language import Language, Message
from grader.records import MatchRecord

if TYPE_CHECKING:
    from grader.games.base import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class NotatedMatch:
    """A match to export."""

    game: "Game"
    record: MatchRecord
    """With control characters and other unprintable text removed."""
    moves: Sequence[str]
    """The moves up to the first one that cannot be replayed."""
    remarks: Sequence[Message]
    """Comments for the end of the match: how it ended, and the fault if there was one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """A notation, which is an option of `grader replay`."""

    name: str
    """The name of the option: `sgf` is `--sgf`. Files get it as their extension."""
    label: str
    """What pages call it."""
    help: str
    """The help text of the option."""
    to_file: bool
    """Whether the option takes a file to write to; otherwise the match is printed."""
    write: Callable[[NotatedMatch, Language], str]
    """Raises `OptionError` for a match that this notation cannot express."""
