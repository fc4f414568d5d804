"""The games that can be graded, by name. A new one is a file in this folder and a line in `GAMES`."""

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from grader.errors import OptionError
from grader.games.base import Game, shown
from grader.games.desconecta4 import Desconecta4
from grader.games.hex import Hex

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
        raise OptionError(f"there is no game {shown(name)}: {_allowed(name, list(GAMES))}")
    kind = GAMES[name]
    known = [field.name for field in fields(kind)]
    for option in options:
        if option not in known:
            raise OptionError(f"{name} has no option {shown(option)}: {_allowed(option, known)}")
    game: AnyGame = kind(**options)
    return game


def _allowed(written: object, known: list[str]) -> str:
    if not known:
        return "It has none."
    from difflib import get_close_matches  # here, because every player's process imports this module

    close = get_close_matches(written, known, n=1) if isinstance(written, str) else []
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"{hint}Choose from {', '.join(known)}."
