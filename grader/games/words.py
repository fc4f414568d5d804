"""The words for how a game ended, and the default for games that define none."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from grader.language import LANGUAGES, Message, say, translations
from grader.records import PLY_LIMIT

ResultSentence = Callable[[str, str, Message], Message]
"""The winner's name, the loser's, and the number of moves as text → one sentence. In a draw both names are empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingWords:
    """One natural ending of a game in words."""

    name: Message
    """In two or three words, for a table."""
    won: Message
    """Said to the player who won by it; in a draw, to both."""
    lost: Message
    """Said to the player who lost by it."""
    result: ResultSentence
    """Said to everybody else."""


def default_ending_words(ending: str, written: Any, *, drawn: bool) -> EndingWords:
    """Words for an ending of which a game says no more than a phrase, or nothing but its name."""
    phrase = say("move limit") if ending == PLY_LIMIT and not written else ending_phrase(ending, written)
    if drawn:
        said = say("A draw: {how}.", how=phrase)
        return EndingWords(
            name=phrase,
            won=said,
            lost=said,
            result=lambda _, __, moves: say("A draw after {moves}: {how}.", moves=moves, how=phrase),
        )
    return EndingWords(
        name=phrase,
        won=say("You won: {how}.", how=phrase),
        lost=say("Your opponent won: {how}.", how=phrase),
        result=lambda winner, _, moves: say(
            "{winner} wins after {moves}: {how}.", winner=winner, moves=moves, how=phrase
        ),
    )


def ending_phrase(ending: str, written: Any) -> Message:
    """The phrase for an ending: a text, or a text for each language; without one, its name with spaces."""
    if isinstance(written, Mapping) and written:
        first = str(next(iter(written.values())))
        return translations({name: str(written.get(name, written.get("en", first))) for name in LANGUAGES})
    text = written if isinstance(written, str) and written.strip() else ending.replace("_", " ")
    return translations(dict.fromkeys(LANGUAGES, text))
