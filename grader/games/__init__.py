"""The games that can be graded, by name. A new one is a file in this folder and a line in `GAMES`."""

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from grader.errors import OptionError
from grader.games.base import Game, shown
from grader.games.desconecta4 import Desconecta4
from grader.games.hex import Hex
from grader.language import Message, say

AnyGame = Game[Any, Any]

GAMES: Mapping[str, type[Any]] = MappingProxyType(
    {
        Hex.name: Hex,
        Desconecta4.name: Desconecta4,
    }
)


def make_game(name: str, options: Mapping[str, Any] = MappingProxyType({})) -> AnyGame:
    """The game of that name with these options. Raises `OptionError` with what would be allowed."""
    if not isinstance(name, str) or name not in GAMES:
        raise OptionError(
            say("there is no game {name}: {allowed}", name=shown(name), allowed=_allowed(name, list(GAMES)))
        )
    kind = GAMES[name]
    known = [field.name for field in fields(kind)]
    for option in options:
        if option not in known:
            raise OptionError(
                say(
                    "{name} has no option {option}: {names}",
                    name=name,
                    option=shown(option),
                    names=_allowed(option, known),
                )
            )
    game: AnyGame = kind(**options)
    return game


def _allowed(written: object, known: list[str]) -> Message:
    if not known:
        return say("It has none.")
    from difflib import get_close_matches  # here, because every player's process imports this module

    close = get_close_matches(written, known, n=1) if isinstance(written, str) else []
    listed = ", ".join(known)
    if close:
        return say("did you mean {close}? Choose from {listed}.", close=repr(close[0]), listed=listed)
    return say("Choose from {listed}.", listed=listed)
