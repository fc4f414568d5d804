"""From a submission's file to something that can be asked for moves. Runs in the player's process.

A class is built and asked with as many arguments as it takes, told apart by the names of its parameters: a limit of time,
a seed, the size of the board, the board itself; whatever is left is the player's number.
"""

import importlib
import importlib.util
import inspect
import linecache
import os
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import ModuleType, TracebackType
from typing import Any

from grader.games import AnyGame
from grader.sandbox import course
from grader.sandbox.wire import Message

Ask = Callable[[Any], Any]
"""The board that a player is handed → whatever it answers."""

_MOST_FRAMES = 12
_MOST_TEXT, _MOST_TRACE = 1000, 3000
"""Characters: as JSON each may take 12 bytes, and all of them must fit into one reply."""

_TIME = re.compile(r"time|tiempo|limit|second|segundo|deadline|budget", re.IGNORECASE)
_SEED = re.compile(r"seed|semilla", re.IGNORECASE)
_SIZE = re.compile(r"size|tam|dimension|^n$", re.IGNORECASE)


class Misfit(Exception):
    """The submission's code has no place for what it must be given. The text says so in one sentence."""


class Player:
    """A submission's player, whatever its shape."""

    def __init__(self, ask: Ask, learn: Callable[[int], Any] | None) -> None:
        self.ask = ask
        self.learn = learn


def load(order: Message, game: AnyGame) -> Player:
    """Import a submission's entry and build its player. Whatever a student's code raises comes through."""
    entry = order["entry"]
    sys.path[:0] = entry["paths"]
    os.chdir(entry["paths"][0])
    seed = order["seed"]
    random.seed(seed)
    course.prepare(order["game"], extended=order["extended"])
    course.install(entry["course_modules"])
    course.replace_stubs(entry["stubs"])
    module = _import(entry["module"], entry["file"])
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)
    given = {"limit": order["limit"], "seed": seed, "size": getattr(game, "size", 7), "id": order["player_id"]}
    target = getattr(module, entry["name"], None)
    if target is None:
        raise Misfit(f"{os.path.basename(entry['file'])} has no {entry['name']!r} once it is imported")
    if entry["kind"] == "function":
        return Player(_edition_2022(target, order["player_id"]), None)
    return _built(target, given, order["options"])


def _import(name: str, file: str) -> ModuleType:
    """Run a file as the module of that name, registered before it runs so that it may import itself."""
    package = name.rpartition(".")[0]
    if package:
        importlib.import_module(package)
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise Misfit(f"{os.path.basename(file)} cannot be imported as Python")
    module = importlib.util.module_from_spec(spec)
    vars(module).update(course.CLASSES)  # for those who use them in an annotation and never import them
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _built(cls: Any, given: dict[str, Any], options: dict[str, Any]) -> Player:
    arguments, keywords = fitted(_parameters(cls), given, what=f"{cls.__name__}(…)", wanted=("id",))
    player = cls(*arguments, **{**keywords, **options})
    if not hasattr(player, "player_id"):
        with suppress(AttributeError):  # it has no place for it, and so no use
            player.player_id = given["id"]
    play = player.play
    parameters = _parameters(play)
    fitted(parameters, {**given, "board": None}, what=f"{cls.__name__}.play(…)", wanted=("board", "id"))

    def ask(board: Any) -> Any:
        arguments, keywords = fitted(parameters, {**given, "board": board}, what="play(…)", wanted=("board", "id"))
        return play(*arguments, **keywords)

    learn = getattr(player, "learn_from_game", None)
    return Player(ask, learn if callable(learn) else None)


def _edition_2022(play: Callable[[Any, str], Any], player_id: int) -> Ask:
    letter = course.WHITE if player_id == 1 else course.BLACK
    return lambda board: play(course.Game2022(board.size, board, player_id - 1), letter)


def _parameters(function: Any) -> Sequence[inspect.Parameter]:
    try:
        return tuple(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # something callable that will not say what it takes
        return (inspect.Parameter("argument", inspect.Parameter.POSITIONAL_ONLY),)


def fitted(
    parameters: Sequence[inspect.Parameter], given: dict[str, Any], *, what: str, wanted: Sequence[str]
) -> tuple[list[Any], dict[str, Any]]:
    """The arguments for these parameters. `wanted` are what parameters of no telling name get, in that order."""
    waiting = list(wanted)
    arguments: list[Any] = []
    keywords: dict[str, Any] = {}
    for parameter in parameters:
        optional = parameter.default is not parameter.empty
        if parameter.kind is parameter.VAR_POSITIONAL:
            arguments += [given[waiting.pop(0)]] if waiting[:1] == list(wanted[:1]) else []
            continue
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        meaning = _meaning(parameter.name)
        if meaning is None and (not optional or waiting[:1] == list(wanted[:1])):
            if not waiting:
                raise Misfit(f"{what} requires {parameter.name!r}, which the course does not give")
            meaning = waiting.pop(0)
        if meaning is None or (optional and meaning == "size"):
            if parameter.kind is not parameter.KEYWORD_ONLY:
                arguments.append(parameter.default)
        elif parameter.kind is parameter.KEYWORD_ONLY:
            keywords[parameter.name] = given[meaning]
        else:
            arguments.append(given[meaning])
    if waiting and waiting[0] == "board":
        raise Misfit(f"{what} takes no board: write play(self, board)")
    return arguments, keywords


def _meaning(name: str) -> str | None:
    for meaning, pattern in (("limit", _TIME), ("seed", _SEED), ("size", _SIZE)):
        if pattern.search(name):
            return meaning
    return None


def described(error: BaseException, root: str) -> Message:
    """An exception as the grader is told of it: its type, its text, and the student's own lines that led to it."""
    own = [place for place in _places(error.__traceback__) if os.path.abspath(place[0]).startswith(root + os.sep)]
    file, line = own[-1][:2] if own else (None, None)
    if isinstance(error, SyntaxError) and error.filename and not own:
        file, line = error.filename, error.lineno
    lines = [
        f"{os.path.relpath(path, root)}:{number} in {name}: {linecache.getline(path, number).strip()}"
        for path, number, name in own[-_MOST_FRAMES:]
    ]
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001  a student's exception that cannot even be shown
        text = ""
    return {
        "type": type(error).__name__,
        "kinds": [kind.__name__ for kind in type(error).__mro__][:20],
        "text": text[:_MOST_TEXT],
        "name": str(getattr(error, "name", None) or "")[:200],
        "file": os.path.relpath(file, root) if file else None,
        "line": line,
        "trace": "\n".join(lines)[-_MOST_TRACE:],
    }


def _places(trace: TracebackType | None) -> Iterator[tuple[str, int, str]]:
    """File, line and function of every frame. By hand: `traceback` would take 2 ms of every player's start to import."""
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename, trace.tb_lineno, trace.tb_frame.f_code.co_name
        trace = trace.tb_next
