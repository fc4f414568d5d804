"""The games: each in a folder beside this file, in an installed package, or in a file of a course.

A folder here is found by its name; a package announces its games by the entry point group `grader.games`; a file is
named by an assignment (`game: ./connect4.py`) or on the command line. Nothing has to be edited to add one.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from grader.errors import OptionError
from grader.games.base import Game, option_error, quote
from grader.games.state import State
from grader.language import Message, say

__all__ = [
    "Game",
    "State",
    "find_game",
    "game_class",
    "installed_games",
    "is_file",
    "make_game",
    "option_problems",
    "remake",
]

GROUP = "grader.games"
"""The entry points by which packages announce their games."""
_HERE = os.path.dirname(__file__)


@cache
def installed_games() -> Mapping[str, type[Game]]:
    """All games that are installed, by name; the first is the one that is meant if none is named."""
    rooms = [name for name in sorted(os.listdir(_HERE)) if os.path.isfile(os.path.join(_HERE, name, "__init__.py"))]
    found = {name: _load_room(name) for name in rooms}
    for name, announced in _packaged_games().items():
        found.setdefault(name, announced)
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: item[1].rank)))


def game_class(name: str) -> type[Game]:
    """The installed game of that name. Raises `OptionError` with the names that there are."""
    if isinstance(name, str) and name.isidentifier() and os.path.isfile(os.path.join(_HERE, name, "__init__.py")):
        return _load_room(name)  # without a look at the others: every player's process comes by here
    if not isinstance(name, str) or name not in installed_games():
        raise OptionError(
            say("unknown game {name}: {allowed}", name=quote(name), allowed=_suggestion(name, list(installed_games())))
        )
    return installed_games()[name]


def find_game(text: str, folder: str | os.PathLike[str] = ".") -> type[Game]:
    """The game that a text means: the name of an installed one, or a file, relative to a folder."""
    if not is_file(text):
        return game_class(text)
    from grader.games.game_files import load_game_file  # here: no player's process needs it

    return load_game_file(os.path.join(folder, text))


def is_file(text: object) -> bool:
    """Whether a text means a file and not the name of an installed game."""
    return isinstance(text, str) and (text.endswith(".py") or "/" in text or os.sep in text)


def make_game(game: str | type[Game], options: Mapping[str, Any] = MappingProxyType({})) -> Game:
    """A game, or the installed game of that name, with these options. Raises `OptionError` with what would be allowed."""
    kind = game_class(game) if not isinstance(game, type) else game
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]  # every game is a dataclass
    for option in options:
        if option not in known:
            raise OptionError(
                say(
                    "{name} has no option {option}: {names}",
                    name=kind.name,
                    option=quote(option),
                    names=_suggestion(option, known),
                )
            )
    if kind.source is not None:
        _check_types(kind, options)
    return kind(**options)


def _check_types(kind: type[Game], options: Mapping[str, Any]) -> None:
    """See that options of a course's own game are of the kind of their defaults."""
    for field in fields(kind):  # type: ignore[arg-type]  # every game is a dataclass
        usual, given = type(field.default), options.get(field.name, field.default)
        if (
            usual in (bool, int, float, str)
            and type(given) is not usual
            and not (usual is float and type(given) is int)
        ):
            problem = say(
                "{option} must be {kind}, not {value}",
                option=field.name,
                kind=_KINDS[usual.__name__],
                value=quote(given),
            )
            raise option_error(kind.name, problem)


_KINDS = {
    "bool": say("true or false"),
    "int": say("a whole number"),
    "float": say("a number"),
    "str": say("a text"),
}


def option_problems(kind: type[Game], options: Mapping[str, Any]) -> dict[str, OptionError]:
    """What is wrong with each of these options by itself."""
    found = {}
    for option, value in options.items():
        try:
            make_game(kind, {option: value})
        except OptionError as error:
            found[option] = error
    return found


def remake(spec: Mapping[str, Any]) -> Game:
    """The game that `Game.spec` describes. Its source, if it has any, must come from somebody who may run code here."""
    if spec["source"] is None:
        return make_game(spec["name"], spec["options"])
    from grader.games.game_files import from_source  # here: most players' processes do not need it

    return make_game(from_source(spec["source"], spec["file"]), spec["options"])


def _load_room(name: str) -> type[Game]:
    """The game in the folder of that name."""
    module = import_module(f"{__name__}.{name}")
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Game)]
    (kind,) = [kind for kind in kinds if getattr(kind, "name", None) == name]
    return kind


def _packaged_games() -> dict[str, type[Game]]:
    """The games that installed packages announce. One that cannot be imported is left out, and said to be unknown."""
    from importlib.metadata import entry_points  # here: it would cost every player's start

    from grader.games.game_files import GameFileError, load_packaged_game

    found = {}
    for point in entry_points(group=GROUP):
        with suppress(GameFileError):
            found[point.name] = load_packaged_game(point)
    return found


def _suggestion(written: object, known: list[str]) -> Message:
    if not known:
        return say("it has no options")
    from difflib import get_close_matches  # here, because every player's process imports this module

    close = get_close_matches(written, known, n=1) if isinstance(written, str) else []
    listed = ", ".join(known)
    if close:
        return say("did you mean {close}? Choose from {listed}.", close=repr(close[0]), listed=listed)
    return say("choose from {listed}", listed=listed)
