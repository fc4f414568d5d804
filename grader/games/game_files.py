"""Load a course's own game from a Python file with one frozen dataclass that derives from `Game`.

The file is the instructor's, and runs in the grader's own process. Any problem with it, when it is loaded or when it is
played, is raised as a `GameFileError` with the line and a message.
"""

import hashlib
import linecache
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from inspect import getattr_static, signature, unwrap
from keyword import iskeyword
from types import FunctionType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from grader.errors import GraderError, OptionError
from grader.games.base import RULES, Game, quote
from grader.language import Message, say
from grader.records import Ending, Outcome

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

MAX_BYTES = 1_000_000
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_TAKEN_NAMES = {"player", "Player", "solution", "grader", "reference_players", "numpy", "main"}
"""Names of modules that students import or write."""
_ENDING = re.compile(r"[\w-]{1,40}")
_FAULTS = {ending.value for ending in Ending}
_KIND = "__game__"


class GameFileError(OptionError):
    """A problem with the file of a game."""


def load_game_file(path: str | os.PathLike[str]) -> type[Game]:
    """Load the game in a file. Raises `GameFileError` with the line and a message."""
    file = os.path.basename(path)
    try:
        with open(path, "rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise GameFileError(say("{file}: file not found", file=os.fspath(path))) from None
    except OSError as error:
        raise GameFileError(
            say("{file} cannot be read: {problem}", file=os.fspath(path), problem=error.strerror or "")
        ) from error
    if not file.endswith(".py"):
        raise GameFileError(say("{file} is not a Python file", file=os.fspath(path)))
    if len(content) > MAX_BYTES:
        raise GameFileError(say("{file} is too large (limit: {most} kB)", file=file, most=MAX_BYTES // 1000))
    try:
        source = decode_source(content)
    except UnicodeDecodeError as error:
        raise GameFileError(say("{file}: save this file as UTF-8", file=file)) from error
    _check_name(file)
    kind = from_source(source, file)
    from grader.games import installed_games

    if kind.name in installed_games():
        problem = say("an installed game is already called {name}: choose another name", name=repr(kind.name))
        raise _error_at(file, _class_line(kind, file), problem)
    from grader.games.conformance import first_problem  # imported here because players' processes do not need it
    from grader.games.known_games import remember

    if (broken := first_problem(kind())) is not None:
        raise _error_at(file, _class_line(kind, file), broken)
    remember(source)
    return kind


def _check_name(file: str) -> None:
    """Check that students can import the file."""
    stem = file.removesuffix(".py")
    if not stem.isidentifier() or iskeyword(stem) or stem in {*sys.stdlib_module_names, *_TAKEN_NAMES}:
        raise GameFileError(
            say("{file}: students could not import a file with this name: rename it, e.g. to my_game.py", file=file)
        )


@cache
def from_source(source: str, file: str) -> type[Game]:
    """The game that the source of a file defines."""
    module = _run_source(source, file)
    kind = _find_game_class(module, file)
    _check_class(kind, file)
    _set_name(kind, file)
    kind.source, kind.file = source, file
    vars(module)[_KIND] = kind
    _guard(kind, file)
    return kind


def _guard(kind: type[Game], file: str) -> None:
    """Wrap the public methods of a game, so that they raise `GameFileError` for any problem."""
    for name in dir(Game):
        method = getattr_static(kind, name)
        if method is getattr_static(Game, name) or name.startswith("__") or isinstance(method, property):
            continue
        if name == "read_move":
            setattr(kind, name, _guard_read_move(method))
        elif callable(method) or isinstance(method, staticmethod | classmethod):
            setattr(kind, name, _guard_method(name, method, file, _RETURNS.get(name)))
    _guard_options(kind, file)


def load_packaged_game(point: "EntryPoint") -> type[Game]:
    """The game that an installed package registers."""
    try:
        kind = point.load()
    except Exception as error:
        raise GameFileError(
            say("the installed game {name} cannot be loaded: {problem}", name=point.name, problem=repr(error)[:200])
        ) from error
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise GameFileError(say("the installed game {name} is not a subclass of grader.Game", name=point.name))
    if getattr(kind, "name", None) != point.name:
        raise GameFileError(say("the installed game {name} must set name = '{name}'", name=point.name))
    file = sys.modules[kind.__module__].__file__ or kind.__module__
    _check_class(kind, file)
    _guard(kind, file)
    return kind


def decode_source(content: bytes) -> str:
    """The text of a file. Raises `UnicodeDecodeError`."""
    return content.decode("utf-8-sig").replace("\r\n", "\n")


def source_digest(source: str) -> str:
    """The digest that identifies the contents of a game's file."""
    return hashlib.sha256(source.encode()).hexdigest()


def loaded_game(wanted: str) -> type[Game] | None:
    """The game whose file has this digest, if it has been loaded in this process."""
    module = sys.modules.get(_module_name(wanted))
    kind: type[Game] | None = None if module is None else vars(module).get(_KIND)
    return kind if kind is not None and source_digest(kind.source or "") == wanted else None


def _module_name(digest: str) -> str:
    return f"game_{digest[:16]}"


def _run_source(source: str, file: str) -> ModuleType:
    """Run the file as a separate module."""
    name = _module_name(source_digest(source))
    module = ModuleType(name)
    module.__file__ = file
    # So that tracebacks show its lines even where this process may not read the file.
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    sys.modules[name] = module  # before it runs, because `dataclass` looks up its module
    try:
        exec(compile(source, file, "exec"), vars(module))  # noqa: S102  the instructor's own code
    except SyntaxError as error:
        del sys.modules[name]
        raise _error_at(file, error.lineno, say("syntax error: {problem}", problem=error.msg)) from error
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise _game_error(error, file) from error
    return module


def _find_game_class(module: ModuleType, file: str) -> type[Game]:
    own = [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Game) and kind.__module__ == module.__name__
    ]
    leaves = [kind for kind in dict.fromkeys(own) if not any(other in kind.__subclasses__() for other in own)]
    if not leaves:
        raise GameFileError(say("{file}: no class derives from Game (from grader import Game)", file=file))
    if len(leaves) > 1:
        names = ", ".join(kind.__name__ for kind in leaves)
        raise GameFileError(
            say("{file}: several games found ({names}); put each in its own file", file=file, names=names)
        )
    return leaves[0]


def _check_class(kind: type[Game], file: str) -> None:
    line = _class_line(kind, file)
    if not is_dataclass(kind) or not kind.__dataclass_params__.frozen:
        problem = say("{name} must be a frozen dataclass: add @dataclass(frozen=True) above it", name=kind.__name__)
        raise _error_at(file, line, problem)
    if not isinstance(kind.endings, Mapping):
        problem = say(
            'endings must be a dict like {{"last_stone": "took the last stone"}}, not {value}',
            value=quote(kind.endings),
        )
        raise _error_at(file, line, problem)
    missing = [name for name in RULES if getattr(kind, name) is getattr(Game, name)]
    if missing:
        listed = ", ".join(f"{name}({', '.join(signature(getattr(Game, name)).parameters)})" for name in missing)
        raise _error_at(file, line, say("{name} does not define {missing}", name=kind.__name__, missing=listed))
    try:
        kind()
    except TypeError:
        required = ", ".join(field.name for field in fields(kind) if field.init)
        problem = say(
            "every option of {name} must have a default value ({options})", name=kind.__name__, options=required
        )
        raise _error_at(file, line, problem) from None
    except Exception as error:
        raise _game_error(error, file) from error


def _set_name(kind: type[Game], file: str) -> None:
    """Name a game after its file, and give it a title, where it does not define them."""
    if not isinstance(getattr(kind, "name", None), str):
        kind.name = re.sub(r"[^a-z0-9]+", "_", file.removesuffix(".py").lower()).strip("_")
    if not isinstance(getattr(kind, "title", None), str):
        kind.title = kind.__name__
    if not _NAME.fullmatch(kind.name):
        problem = say("name may contain only lower-case letters, digits, - and _, not {name}", name=quote(kind.name))
        raise _error_at(file, _class_line(kind, file), problem)


def _guard_read_move(method: Any) -> Any:
    """A `read_move` that returns None instead of raising: the value is a student's."""

    def read_move(self: Game, value: object) -> Any:
        try:
            return method.__get__(self, type(self))(value)
        except Exception:  # noqa: BLE001  see above
            return None

    return read_move


def _guard_method(name: str, method: Any, file: str, check: Callable[[Any], Any] | None) -> Any:
    """The same method, but it raises `GameFileError` for any problem, an invalid return value included."""
    line = getattr(unwrap(method), "__code__", None)

    def call(self: Game, *arguments: Any, **named: Any) -> Any:
        try:
            returned = method.__get__(self, type(self))(*arguments, **named)
            return returned if check is None else check(returned)
        except GraderError:
            raise
        except _WrongReturn as wrong:
            first = line.co_firstlineno if line is not None else None
            raise _error_at(file, first, say("{method}() {problem}", method=name, problem=wrong.args[0])) from None
        except (Exception, SystemExit) as error:
            raise _game_error(error, file) from error

    return call


class _WrongReturn(Exception):
    """A method returned an invalid value."""


def _check_seat(value: Any) -> Any:
    if type(value) is int and value in (0, 1):
        return value
    raise _WrongReturn(say("must return 0 or 1, not {value}", value=quote(value)))


def _check_moves(value: Any) -> Sequence[Any]:
    if isinstance(value, list | tuple):
        return value
    try:
        return list(value)
    except TypeError:
        raise _WrongReturn(say("must return a list of moves, not {value}", value=quote(value))) from None


def _check_outcome(value: Any) -> Outcome | None:
    if value is None:
        return None
    if not isinstance(value, Outcome):
        raise _WrongReturn(say("must return None or an Outcome, not {value}", value=quote(value)))
    if value.ending in _FAULTS:
        raise _WrongReturn(
            say(
                "must not use {value} as an ending: that word is reserved for faults of players",
                value=quote(value.ending),
            )
        )
    if not isinstance(value.ending, str) or not _ENDING.fullmatch(value.ending):
        raise _WrongReturn(
            say("must name the ending with one word, e.g. 'last_stone', not {value}", value=quote(value.ending))
        )
    if value.winner is not None and (type(value.winner) is not int or value.winner not in (0, 1)):
        raise _WrongReturn(say("must give 0, 1 or None as the winner, not {value}", value=quote(value.winner)))
    return value


def _check_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise _WrongReturn(say("must return a string, not {value}", value=quote(value)))


def _check_rows(value: Any) -> Any:
    if value is None or (isinstance(value, list | tuple) and all(isinstance(row, list | tuple) for row in value)):
        return value
    raise _WrongReturn(say("must return a list of rows or None, not {value}", value=quote(value)))


def _check_lengths(value: Any) -> Any:
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(part, int | float) for part in value):
        return value
    raise _WrongReturn(say("must return a tuple of two numbers, not {value}", value=quote(value)))


_RETURNS: dict[str, Callable[[Any], Any]] = {
    "turn": _check_seat,
    "moves": _check_moves,
    "outcome": _check_outcome,
    "draw": _check_text,
    "move_text": _check_text,
    "cells": _check_rows,
    "plies": _check_lengths,
}


def _guard_options(kind: type[Game], file: str) -> None:
    """Make a `ValueError` about an option name the game."""
    check = vars(kind).get("__post_init__")
    if not isinstance(check, FunctionType):
        return

    @wraps(check)
    def check_options(self: Game) -> None:
        try:
            check(self)
        except GraderError:
            raise
        except ValueError as error:
            raise OptionError(say("{game}: {problem}", game=kind.name, problem=str(error))) from error
        except Exception as error:
            raise _game_error(error, file) from error

    kind.__post_init__ = check_options  # type: ignore[attr-defined]


def _game_error(error: BaseException, file: str) -> GameFileError:
    """The error for an exception in the file of a game, with the line that raised it."""
    problem = say("{kind}: {text}", kind=type(error).__name__, text=str(error)[:300])
    if isinstance(error, ModuleNotFoundError):
        problem = say("{problem}; a game must be a single file that imports only installed packages", problem=problem)
    return _error_at(file, _last_line(error.__traceback__, file), problem)


def _last_line(trace: TracebackType | None, file: str) -> int | None:
    line = None
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == file else line
        trace = trace.tb_next
    return line


def _class_line(kind: type, file: str) -> int | None:
    """The line on which a class is defined."""
    lines = linecache.getlines(file)
    found = [at for at, line in enumerate(lines, 1) if re.match(rf"\s*class\s+{re.escape(kind.__name__)}\b", line)]
    return found[0] if found else None


def _error_at(file: str, line: int | None, problem: Message) -> GameFileError:
    if line is None:
        return GameFileError(say("{file}: {problem}", file=file, problem=problem))
    return GameFileError(say("{file}:{line}: {problem}", file=file, line=line, problem=problem))
