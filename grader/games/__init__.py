"""Find games: in the subpackages of this package, in other installed packages, or in a course's own file.

A subpackage is found by its name. Another package registers its games in the entry point group `grader.games`. A file is
named in an assignment (`game: ./connect4.py`) or on the command line. Adding a game requires no change to existing code.
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
"""The entry point group in which packages register their games."""
_HERE = os.path.dirname(__file__)


@cache
def installed_games() -> Mapping[str, type[Game]]:
    """All installed games, by name; the first is the default."""
    names = [name for name in sorted(os.listdir(_HERE)) if os.path.isfile(os.path.join(_HERE, name, "__init__.py"))]
    found = {name: _load_builtin(name) for name in names}
    for name, registered in _packaged_games().items():
        found.setdefault(name, registered)
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: item[1].rank)))


def game_class(name: str) -> type[Game]:
    """The installed game of that name. Raises `OptionError` with the names of all games."""
    if isinstance(name, str) and name.isidentifier() and os.path.isfile(os.path.join(_HERE, name, "__init__.py")):
        return _load_builtin(name)  # without loading the other games: every player's process runs this
    if not isinstance(name, str) or name not in installed_games():
        raise OptionError(
            say("unknown game {name}: {allowed}", name=quote(name), allowed=_suggestion(name, list(installed_games())))
        )
    return installed_games()[name]


def find_game(text: str, folder: str | os.PathLike[str] = ".") -> type[Game]:
    """The game that a text refers to: an installed game by name, or a file relative to a folder."""
    if not is_file(text):
        return game_class(text)
    from grader.games.game_files import load_game_file  # imported here because players' processes do not need it

    return load_game_file(os.path.join(folder, text))


def is_file(text: object) -> bool:
    """Whether a text refers to a file, and not to an installed game."""
    return isinstance(text, str) and (text.endswith(".py") or "/" in text or os.sep in text)


def make_game(game: str | type[Game], options: Mapping[str, Any] = MappingProxyType({})) -> Game:
    """Create a game, given as a class or by name, with these options. Raises `OptionError` with the allowed values."""
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
    """Check that the options of a course's own game have the types of their defaults."""
    for field in fields(kind):  # type: ignore[arg-type]  # every game is a dataclass
        usual, given = type(field.default), options.get(field.name, field.default)
        if (
            usual in (bool, int, float, str)
            and type(given) is not usual
            and not (usual is float and type(given) is int)
        ):
            problem = say("must be {what}, not {value}", what=_KINDS[usual.__name__], value=quote(given))
            raise option_error(kind.name, field.name, problem)


_KINDS = {
    "bool": say("true or false"),
    "int": say("a whole number"),
    "float": say("a number"),
    "str": say("text"),
}


def option_problems(kind: type[Game], options: Mapping[str, Any]) -> dict[str, OptionError]:
    """The problem with each invalid option, taken by itself."""
    found = {}
    for option, value in options.items():
        try:
            make_game(kind, {option: value})
        except OptionError as error:
            found[option] = error
    return found


def remake(spec: Mapping[str, Any]) -> Game:
    """The game that `Game.spec` describes. Its source, if any, is run: it must come from a trusted place."""
    if spec["source"] is None:
        return make_game(spec["name"], spec["options"])
    from grader.games.game_files import from_source  # imported here because most players' processes do not need it

    return make_game(from_source(spec["source"], spec["file"]), spec["options"])


def _load_builtin(name: str) -> type[Game]:
    """The game in the subpackage of that name."""
    module = import_module(f"{__name__}.{name}")
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Game)]
    (kind,) = [kind for kind in kinds if getattr(kind, "name", None) == name]
    return kind


def _packaged_games() -> dict[str, type[Game]]:
    """The games that installed packages register. One that cannot be imported is skipped, and therefore unknown."""
    from importlib.metadata import entry_points  # imported here because it would slow down every player's start

    from grader.games.game_files import GameFileError, load_packaged_game

    found = {}
    for point in entry_points(group=GROUP):
        with suppress(GameFileError):
            found[point.name] = load_packaged_game(point)
    return found


def _suggestion(written: object, known: list[str]) -> Message:
    if not known:
        return say("it has no options")
    from difflib import get_close_matches  # imported here because every player's process imports this module

    close = get_close_matches(written, known, n=1) if isinstance(written, str) else []
    listed = ", ".join(known)
    if close:
        return say("did you mean {close}? Choose from {listed}.", close=repr(close[0]), listed=listed)
    return say("choose from {listed}", listed=listed)
