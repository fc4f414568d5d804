"""Load a submission's file and adapt its player, whatever its signature. Runs in the player's process.

The constructor and `play` are called with the arguments they take, recognised by the names of their parameters: a time limit,
a seed, the board's size, the board itself, a player's number. A parameter with another name gets the player's number in
the constructor, and the board, then the number, in `play`. A parameter with a default keeps it (`depth=3`, `time_margin=0.3`),
unless its whole name is in a short list and its default is None or of a plausible kind (`time_limit=5`).
"""

import importlib.util
import inspect
import linecache
import os
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from types import ModuleType, TracebackType
from typing import Any

from grader.games import Game
from grader.games.interface import Ask
from grader.sandbox import course
from grader.sandbox.protocol import Packet, make_reproducible

_MOST_FRAMES, _MOST_TEXT, _MOST_TRACE = 12, 1000, 3000
"""Limits of an error report: as JSON a character may take 12 bytes, and the report must fit into one reply."""

_USUAL = {"player_id": "id", "board": "board", "env": "board"}
"""The usual names, so that most players start without compiling the patterns below."""
_MEANINGS = (
    ("never", r"start_?time|time_?start|inicio|margin|margen|buffer|factor|bonus|^use_|^usar_"),
    ("nothing", r"depth|prof|node|nodo|iter|simul|memory|cache|table(?!ro)|debug|verbose|explor|weight|peso|heur"),
    ("nothing", r"rollout|playout"),
    ("size", r"^(board|tablero|grid)?_?(size|tam|tama[nñ]o|dim|dimension|n)(_(del_)?(board|tablero))?$"),
    ("seed", r"seed|semilla"),
    ("milliseconds", r"(time|tiempo|limit|budget).*_ms$|^ms$|milli?s"),
    ("limit", r"time|tiempo|deadline|budget|seconds?$|segundos?$|^limite?$"),
    ("other", r"oppon|oponente|rival|enem|contrari|adversar"),
    ("name", r"name|nombre"),
    ("id", r"player|jugador|^id$|_id$|^pid$|colou?r|symbol|simbolo|ficha"),
    (
        "board",
        r"board|tablero|game|juego|state|estado|env$|environment|entorno|grid|position",
    ),  # as courses call it
)
"""The meaning of a required parameter, by patterns for its name; the first that matches counts."""
_LONGEST_LIMIT, _LARGEST_BOARD = 120, 30
"""A larger default is not a limit in seconds (`limit=500`), or not a board's size (`n=1000`)."""
_WITH_DEFAULT = {
    "limit": (
        *("time_limit", "limit_time", "timelimit", "max_time", "time_max", "maxtime", "timeout", "time_out", "limit"),
        *("limite", "tiempo", "tiempo_limite", "limite_tiempo", "limite_de_tiempo", "tiempo_maximo", "tiempo_max"),
        *("max_tiempo", "max_seconds", "time_limit_s", "time_limit_seconds", "max_time_seconds", "time_per_move"),
        *("move_time", "tiempo_por_jugada", "time"),
    ),
    "milliseconds": ("time_limit_ms", "limit_ms", "max_time_ms", "time_ms", "timeout_ms", "tiempo_ms", "limite_ms"),
    "seed": ("seed", "random_seed", "rng_seed", "semilla"),
    "id": (
        *("player_id", "id", "jugador_id", "id_jugador", "id_player", "playerid", "player", "jugador", "pid", "my_id"),
        *("mi_id", "player_number", "color", "ficha"),
    ),
    "other": ("opponent_id", "id_opponent", "oponente_id", "id_oponente", "rival_id", "id_rival", "enemy_id"),
    "size": (
        *("board_size", "size", "n", "tam", "tamano", "tamaño", "board_dim", "dim", "dimension"),
        *("grid_size", "tam_tablero", "tamano_tablero", "tamaño_tablero"),
    ),
}
"""Names of the parameters that get a value even if they have a default."""
_WITH_DEFAULT_MEANING = {name: meaning for meaning, names in _WITH_DEFAULT.items() for name in names}


class Misfit(Exception):
    """The submission's code cannot be called as a player. `explain` has a message for each kind."""

    def __init__(self, misfit: str, **details: str) -> None:
        super().__init__(misfit)
        self.details = {"misfit": misfit, **details}


class AdaptedPlayer:
    """A submission's player, adapted so that it can be asked for moves whatever its signature."""

    def __init__(self, ask: Ask, learn: Callable[[int], Any] | None) -> None:
        self.ask = ask
        self.learn = learn
        self.build_again: Callable[[int], AdaptedPlayer]
        """Builds another player of the same class, as player 1 or 2."""

    def rebuild(self, number: int) -> None:
        """Replace the player by a new object of the same class."""
        fresh = self.build_again(number)
        self.ask, self.learn = fresh.ask, fresh.learn


def load(order: Packet, game: Game) -> AdaptedPlayer:
    """Import a submission's entry and build its player. Exceptions of the student's code are not caught."""
    entry = order["entry"]
    sys.path[:0] = entry["paths"]
    os.chdir(os.path.dirname(entry["file"]))
    seed = order["seed"]
    random.seed(seed)
    interface = game.interface()
    interface.prepare(game, extended=order["extended"])
    course.install_course_modules(interface, entry["course_modules"])
    loader = course.install_file_loader(entry["readable"], entry["stubs"], interface.classes, entry["cells"])
    if entry.get("package"):
        _package(entry["package"], entry["root"], loader)
    module = _import(entry["module"], entry["file"], loader)
    if (numpy_random := _numpy_random()) is not None:
        numpy_random.seed(seed % 2**32)
    target, restore_random_state = _find_target(entry["name"], module), _save_random_state()
    player = _build(target, order, game, order["player_id"])

    def build_again(number: int) -> AdaptedPlayer:
        restore_random_state()
        return _build(target, order, game, number)

    player.build_again = build_again
    return player


def _save_random_state() -> Callable[[], None]:
    """Return a function that restores the present random state, so that each object gets the same random numbers."""
    state = random.getstate()
    numpy_random = _numpy_random()
    theirs = None if numpy_random is None else numpy_random.get_state()

    def restore_random_state() -> None:
        random.setstate(state)
        if numpy_random is not None:
            numpy_random.set_state(theirs)

    return restore_random_state


def _numpy_random() -> Any:
    """The random numbers of numpy, if they have been imported; None for a submission's own module of that name."""
    module = getattr(sys.modules.get("numpy"), "random", None)  # numpy imports it when it is asked for it
    return module if all(hasattr(module, name) for name in ("seed", "get_state", "set_state")) else None


def _build(target: Any, order: Packet, game: Game, number: int) -> AdaptedPlayer:
    """Build player 1 or 2 from its class or function, which is already imported."""
    if order["entry"]["kind"] == "function":
        ask = game.interface().function(target, number)
        if ask is None:
            raise Misfit("function", game=game.title)
        return AdaptedPlayer(ask, None)
    given = {"limit": order["limit"], "milliseconds": order["limit"] * 1000, "seed": order["seed"], "id": number}
    given |= {"other": 3 - number, "name": f"player {number}"}
    if isinstance(size := getattr(game, "size", None), int):
        given["size"] = size
    return _adapt_class(target, {**given, "board": game.board(game.start())}, order, game.name)


def _import(name: str, file: str, loader: type[SourceFileLoader]) -> ModuleType:
    """Run a file as the module of that name, inside the packages in its name."""
    folder = os.path.dirname(file)
    if os.path.basename(file) == "__init__.py":
        return _package(name, folder, loader)
    outer = name.split(".")[:-1]
    for count in range(1, len(outer) + 1):
        above = [os.pardir] * (len(outer) - count)
        _package(".".join(outer[:count]), os.path.normpath(os.path.join(folder, *above)), loader)
    return sys.modules[name] if outer and name in sys.modules else _run(name, file, loader)


def _package(name: str, folder: str, loader: type[SourceFileLoader]) -> ModuleType:
    """Import a folder as a package, even without `__init__.py` and outside `sys.path`."""
    file = os.path.join(folder, "__init__.py")
    if name in sys.modules:
        return sys.modules[name]
    if os.path.isfile(file):
        return _run(name, file, loader, [folder])
    package = sys.modules[name] = ModuleType(name)
    package.__path__ = [folder]
    return package


def _run(name: str, file: str, loader: type[SourceFileLoader], folders: list[str] | None = None) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        name, file, loader=loader(name, file), submodule_search_locations=folders
    )
    if spec is None or spec.loader is None:
        raise Misfit("no_python", file=os.path.basename(file))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # before it runs, so that it may import itself
    spec.loader.exec_module(module)
    return module


def _find_target(name: str, module: ModuleType) -> Any:
    found: Any = module
    for part in name.split("."):
        if part not in vars(found):
            raise Misfit("no_such_name", file=os.path.basename(module.__file__ or ""), name=repr(name))
        found = getattr(found, part)
    if not callable(found):
        raise Misfit("no_class", name=repr(name), kind=repr(type(found).__name__))
    return found


def _adapt_class(cls: Any, given: dict[str, Any], order: Packet, game: str) -> AdaptedPlayer:
    name, options, opening = getattr(cls, "__name__", "Player"), order["options"], order["opening"]
    parameters = _parameters(cls)
    if opening is not None and any(parameter.name == "opening" for parameter in parameters):
        options = {"opening": opening, **options}
    builder = Fit(parameters, what=f"{name}.__init__()", wanted=("id",), preset=options, given=given, game=game)
    player = builder.call(cls, given, options)
    if "id" not in builder.used or not hasattr(player, "player_id"):
        with suppress(AttributeError):  # it has no such attribute, so it does not use it
            player.player_id = given["id"]
    play = player.play
    fit = Fit(_parameters(play), what=f"{name}.play()", wanted=("board", "id"), given=given, game=game)
    if "board" not in fit.used:
        raise Misfit("no_board", name=f"{name}.play()")
    learn = getattr(player, "learn_from_game", None)
    return AdaptedPlayer(
        lambda board: _run_if_coroutine(fit.call(play, {**given, "board": board})), learn if callable(learn) else None
    )


def _run_if_coroutine(answer: Any) -> Any:
    if not inspect.iscoroutine(answer):
        return answer
    import asyncio  # for the few players with `async def play`

    return asyncio.run(answer)


def _parameters(function: Any) -> Sequence[inspect.Parameter]:
    try:
        return tuple(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a callable without a signature
        return (inspect.Parameter("argument", inspect.Parameter.POSITIONAL_ONLY),)


class Fit:
    """The arguments for a function's parameters, by their meanings.

    `given`: the meanings that have a value; `wanted`: those for parameters with unknown names, in that order. In a
    parameter's name, the name of the `game` means its board.
    """

    def __init__(
        self,
        parameters: Iterable[inspect.Parameter],
        *,
        what: str,
        wanted: Sequence[str],
        given: Iterable[str],
        preset: Iterable[str] = (),
        game: str = "",
    ) -> None:
        self._positional: list[str] = []
        self._keywords: dict[str, str] = {}
        parameters = [parameter for parameter in parameters if parameter.name not in preset]
        meanings = {parameter.name: _meaning(parameter, wanted, game) for parameter in parameters}
        known = {"nothing", "board", *given}
        meanings = {name: meaning if meaning in known else None for name, meaning in meanings.items()}
        waiting = [meaning for meaning in wanted if meaning not in meanings.values()]
        by_position = not preset  # after a parameter that is left out, arguments are passed by name
        for parameter in parameters:
            meaning = meanings[parameter.name]
            required = parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL
            if parameter.kind is parameter.VAR_KEYWORD:
                continue
            if meaning is None and waiting and (required or _must_be_given(parameter, waiting[0])):
                meaning = waiting.pop(0)
            if meaning in (None, "nothing"):
                if required:
                    raise Misfit("requires", name=what, parameter=repr(parameter.name))
                by_position = by_position and parameter.kind is parameter.VAR_POSITIONAL
            elif by_position and parameter.kind is not parameter.KEYWORD_ONLY:
                self._positional.append(str(meaning))
            elif parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                self._keywords[parameter.name] = str(meaning)
        self.used = {*self._positional, *self._keywords.values()}

    def call(self, function: Any, given: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Any:
        """Call the function with those of the given values that it takes."""
        keywords = {name: given[meaning] for name, meaning in self._keywords.items()}
        return function(*[given[meaning] for meaning in self._positional], **keywords, **(options or {}))


def _meaning(parameter: inspect.Parameter, wanted: Sequence[str], game: str) -> str | None:
    """The meaning of a parameter by its name, or None if it is unknown."""
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return None
    name = parameter.name.lower()
    if game:
        name = name.replace(game, "board")
    if parameter.default is not parameter.empty:
        return _optional_meaning(name, parameter.default, wanted)
    meaning = _USUAL.get(name) or _meaning_of_name(name)
    return None if meaning == "nothing" else "nothing" if meaning == "never" else meaning


def _meaning_of_name(name: str) -> str | None:
    return next((meaning for meaning, pattern in _MEANINGS if re.search(pattern, name)), None)


def _optional_meaning(name: str, default: Any, wanted: Sequence[str]) -> str | None:
    meaning = _WITH_DEFAULT_MEANING.get(name)
    if meaning is not None:
        return meaning if default is None or _is_plausible(meaning, default) else "nothing"
    if default is None and _meaning_of_name(name) == "board" and "board" in wanted:
        return "board"
    return "nothing" if _meaning_of_name(name) or default is not None else None


def _is_plausible(meaning: str, default: Any) -> bool:
    """Whether a default is plausible for a parameter of that meaning."""
    if isinstance(default, bool) or not isinstance(default, int | float):
        return False
    if meaning == "limit":
        return 0 < default <= _LONGEST_LIMIT
    if meaning == "milliseconds":
        return default > 0
    return isinstance(default, int) and (meaning != "size" or 0 < default <= _LARGEST_BOARD)


def _must_be_given(parameter: inspect.Parameter, meaning: str) -> bool:
    """Whether an optional parameter with an unknown name gets a value anyway: every player needs a board."""
    return meaning == "board" or (meaning == "id" and parameter.kind is parameter.VAR_POSITIONAL)


def describe_error(error: BaseException, root: str) -> Packet:
    """The report of an exception for the grader: its type, its text, and the student's own lines in the traceback."""
    inside = os.path.join(root, "")
    places = list(_frames(error.__traceback__))
    # Frozen modules and evaluated text have names like `<string>`, which would appear to be in the working directory.
    own = [place for place in places if place[0][:1] != "<" and os.path.abspath(place[0]).startswith(inside)]
    file, line = own[-1][:2] if own else (None, None)
    if isinstance(error, SyntaxError) and os.path.abspath(error.filename or os.sep).startswith(inside):
        file, line = error.filename, error.lineno  # the line to fix, not the one that imported it
    lines = [
        f"{os.path.relpath(path, root)}:{number} in {name}: {linecache.getline(path, number).strip()}"
        for path, number, name, _ in own[-_MOST_FRAMES:]
    ]
    if lines and places[-1] not in own and not places[-1][0].startswith("<"):
        lines[-1] += (
            f" (raised in {places[-1][3]})"  # the line `Pool(2)` alone does not show that it is about processes
        )
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001  a student's exception that cannot even be shown
        text = ""
    return {
        "type": type(error).__name__,
        "kinds": [kind.__name__ for kind in type(error).__mro__][:20],
        "text": make_reproducible(text, root)[:_MOST_TEXT],
        "name": str(getattr(error, "name", None) or "")[:200],
        "file": os.path.relpath(file, root) if file else None,
        "line": line,
        "trace": "\n".join(lines)[-_MOST_TRACE:],
    }


def _frames(trace: TracebackType | None) -> Iterator[tuple[str, int, str, str]]:
    """File, line, function and module of every frame. Importing `traceback` would slow down each player's start by 2 ms."""
    while trace is not None:
        code, module = trace.tb_frame.f_code, trace.tb_frame.f_globals.get("__name__")
        yield code.co_filename, trace.tb_lineno, code.co_name, str(module)
        trace = trace.tb_next
