"""The classes of a file and its `play` functions, read from the syntax tree."""

import ast
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from grader.source.facts import ClassShape, MoveMethod
from grader.source.syntax import Function, assigned_names, dotted_name, statements

_MOVE_PARAMETERS = frozenset(
    {
        *("move", "action", "cell", "pos", "coord", "coords", "row", "col", "column"),
        *("movimiento", "jugada", "accion", "celda", "casilla", "coordenada", "coordenadas", "fila", "columna"),
    }
)
"""Parameters that mean a move or a part of one."""
_CELL_PARAMETERS = (("x", "y"), ("i", "j"), ("r", "c"))
_PLAYER_PARAMETER = re.compile(r"(player|jugador)(_?id|_?\d+)?|p_?\d+|color")
"""Parameters that mean a player: a `play` that takes nothing else runs a whole game."""
_MOVE_METHOD = re.compile(
    r"(get|make|choose|select|find|compute|calculate|decide|pick|generate|best|next|do|obtener|hacer|elegir|escoger|calcular"
    r"|decidir|mejor|siguiente|realizar)_.*(move|action|play|jugada|movimiento|accion)"
    r"|move|act|get_?move|make_?move|next_?move|best_?move|choose_?move|jugar|mover|decidir"
)
"""Names of methods that choose or make a move."""


def is_play_function(node: ast.stmt) -> bool:
    """Whether this is a function `play(game, player)`, and not a method written outside its class."""
    if not isinstance(node, ast.FunctionDef) or node.name != "play" or _argument_count(node) != 2:
        return False
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs][0].arg != "self"


def has_play(module: ast.Module) -> bool:
    """Whether a file has a `play` that does something, as a function or as a method."""
    bodies = [module.body, *(item.body for item in module.body if isinstance(item, ast.ClassDef))]
    functions = [item for body in bodies for item in body if isinstance(item, ast.FunctionDef) and item.name == "play"]
    idle = (ast.Pass, ast.Raise, ast.Expr)
    return any(not isinstance(item, idle) for function in functions for item in function.body)


def class_shapes(body: Iterable[ast.stmt], input_lines: Sequence[int], outer: str = "") -> Iterator[ClassShape]:
    """The classes among these statements, each followed by the classes nested in it.

    `input_lines` are the lines of the file on which `input` is called, in ascending order.
    """
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield _shape(node, outer + node.name, input_lines)
            yield from class_shapes(statements(node.body), input_lines, f"{outer}{node.name}.")


def _shape(node: ast.ClassDef, name: str, input_lines: Sequence[int]) -> ClassShape:
    methods = {item.name: item for item in statements(node.body) if isinstance(item, Function)}
    play = methods.get("play")
    assigned = next((item for item in statements(node.body) if "play" in assigned_names(item)), None)
    parameters = tuple(_play_parameters(play)) if play else ()
    constructor = methods.get("__init__")
    return ClassShape(
        name=name,
        line=node.lineno,
        bases=tuple(filter(None, (dotted_name(base) for base in node.bases))),
        play_line=play.lineno if play else assigned.lineno if assigned else None,
        play_parameters=parameters,
        takes_board=_can_take_board(play, parameters) if play else assigned is not None,
        empty_play=play is not None and (_is_empty(play) or "abstractmethod" in _decorators(play)),
        methods=tuple(methods),
        stubs=tuple(method for method, body in methods.items() if _is_empty(body)),
        parameters=tuple(_parameters(constructor)) if constructor else (),
        takes_any_option=constructor is not None and constructor.args.kwarg is not None,
        calls_input=_has_line_in(input_lines, node),
        move_methods=tuple(_move_methods(methods)),
    )


def _move_methods(methods: Mapping[str, Function]) -> Iterator[MoveMethod]:
    for name, node in methods.items():
        parameters = tuple(_play_parameters(node))
        takes_board = _can_take_board(node, parameters)
        is_play = name == "play" and bool(parameters) and not takes_board
        if (is_play or _MOVE_METHOD.fullmatch(name.lower())) and not _is_empty(node):
            yield MoveMethod(name, node.lineno, parameters, takes_board)


def _has_line_in(lines: Sequence[int], node: ast.ClassDef) -> bool:
    """Whether one of these lines is inside a class, its decorators included."""
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    at = bisect_left(lines, start)
    return at < len(lines) and lines[at] <= (node.end_lineno or node.lineno)


def _parameters(node: Function) -> Iterator[tuple[str, bool]]:
    positional = [*node.args.posonlyargs, *node.args.args]
    for index, argument in enumerate(positional[1:], 1):
        yield argument.arg, index < len(positional) - len(node.args.defaults)
    for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        yield argument.arg, default is None


def _argument_count(node: Function) -> int:
    """How many arguments a function accepts."""
    arguments = node.args
    variable = 99 if arguments.vararg else 0
    return len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs) + variable


def _play_parameters(node: Function) -> Iterator[str]:
    arguments = [*node.args.posonlyargs, *node.args.args][("staticmethod" not in _decorators(node)) :]
    return (argument.arg for argument in (*arguments, *node.args.kwonlyargs))


def _can_take_board(node: Function, parameters: tuple[str, ...]) -> bool:
    """Whether a `play` may belong to a player: that of a board, a game or a search takes a move or the players instead."""
    required = len(parameters) - len(node.args.kwonlyargs) - len(node.args.defaults)
    names = [name.lower() for name in parameters[: max(0, required)]]
    if _MOVE_PARAMETERS.intersection(names) or any(pair in _CELL_PARAMETERS for pair in pairwise(names)):
        return False
    if names and all(map(_PLAYER_PARAMETER.fullmatch, names)):
        return False
    return _argument_count(node) > ("staticmethod" not in _decorators(node))


def _is_empty(node: Function) -> bool:
    """Whether a function has only a docstring, `pass`, `...`, `return None` or a `raise`."""
    return all(
        isinstance(item, ast.Pass | ast.Raise)
        or (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))
        or (isinstance(item, ast.Return) and _is_none(item.value))
        for item in node.body
    )


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _decorators(node: Function) -> list[str]:
    return [dotted_name(decorator).rpartition(".")[2] for decorator in node.decorator_list]
