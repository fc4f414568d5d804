"""Texts that describe how a game ended, with a default for games that define none."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from grader.language import LANGUAGES, Message, say, translations
from grader.records import PLY_LIMIT

ResultSentence = Callable[[str, str, Message], Message]
"""The winner's name, the loser's, and the number of moves as text → one sentence. In a draw both names are empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingWords:
    """Texts for one natural ending of a game."""

    name: Message
    """Two or three words, for a table."""
    won: Message
    """For the player who won; in a draw, for both players."""
    lost: Message
    """For the player who lost."""
    result: ResultSentence
    """For anyone else."""


def default_ending_words(ending: str, written: Any, *, drawn: bool) -> EndingWords:
    """The texts for an ending for which a game defines only a phrase, or nothing."""
    phrase = say("move limit") if ending == PLY_LIMIT and not written else ending_phrase(ending, written)
    if drawn:
        text = say("Draw: {how}.", how=phrase)
        return EndingWords(
            name=phrase,
            won=text,
            lost=text,
            result=lambda _, __, moves: say("Draw: {how} ({moves}).", moves=moves, how=phrase),
        )
    return EndingWords(
        name=phrase,
        won=say("You won: {how}.", how=phrase),
        lost=say("Your opponent won: {how}.", how=phrase),
        result=lambda winner, _, moves: say("{winner} wins: {how} ({moves}).", winner=winner, moves=moves, how=phrase),
    )


def ending_phrase(ending: str, written: Any) -> Message:
    """The phrase for an ending: one text, or one per language; by default, its name with spaces for underscores."""
    if isinstance(written, Mapping) and written:
        first = str(next(iter(written.values())))
        return translations({name: str(written.get(name, written.get("en", first))) for name in LANGUAGES})
    text = written if isinstance(written, str) and written.strip() else ending.replace("_", " ")
    return translations(dict.fromkeys(LANGUAGES, text))
