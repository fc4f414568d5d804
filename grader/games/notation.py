"""Notations of other programs for a match."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.language import Language, Message
from grader.records import MatchRecord

if TYPE_CHECKING:
    from grader.games.base import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class NotatedMatch:
    """A match that is to be written down."""

    game: "Game"
    record: MatchRecord
    """Cleaned of anything that could do harm where it is shown."""
    moves: Sequence[str]
    """As far as they can be played."""
    remarks: Sequence[Message]
    """How it ended, and what else there is to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """One such notation: an option of `grader replay`."""

    name: str
    """Of the option: `sgf` is `--sgf`."""
    help: str
    """Its help text."""
    to_file: bool
    """Whether it is written to a file that the option names, and not printed."""
    write: Callable[[NotatedMatch, Language], str]
    """Raises `OptionError` for a match that it cannot write."""
