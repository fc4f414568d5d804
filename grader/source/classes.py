"""The classes of a file and its functions called `play`, by their syntax."""

import ast
from collections.abc import Iterable, Iterator

from grader.source.facts import ClassShape
from grader.source.syntax import Function, assigned_names, dotted_name, statements

_A_MOVE = ("move", "action", "cell", "pos", "movimiento", "jugada", "accion", "celda", "casilla", "row", "fila")
_A_CELL = (["x", "y"], ["i", "j"], ["r", "c"])


def is_play_function(node: ast.stmt) -> bool:
    """A function `play(game, player)`, and not a method that was written outside its class."""
    if not isinstance(node, ast.FunctionDef) or node.name != "play" or _argument_count(node) != 2:
        return False
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs][0].arg != "self"


def has_play(module: ast.Module) -> bool:
    """Whether a file has a `play`, outside any class or in one, that does something."""
    bodies = [module.body, *(item.body for item in module.body if isinstance(item, ast.ClassDef))]
    functions = [item for body in bodies for item in body if isinstance(item, ast.FunctionDef) and item.name == "play"]
    idle = (ast.Pass, ast.Raise, ast.Expr)
    return any(not isinstance(item, idle) for function in functions for item in function.body)


def class_shapes(body: Iterable[ast.stmt], outer: str = "") -> Iterator[ClassShape]:
    """The classes among these statements, each followed by those inside it."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield _shape(node, outer + node.name)
            yield from class_shapes(statements(node.body), f"{outer}{node.name}.")


def _shape(node: ast.ClassDef, name: str) -> ClassShape:
    methods = {item.name: item for item in statements(node.body) if isinstance(item, Function)}
    play = methods.get("play")
    given = next((item for item in statements(node.body) if "play" in assigned_names(item)), None)
    takes = tuple(_play_parameters(play)) if play else ()
    builder = methods.get("__init__")
    return ClassShape(
        name=name,
        line=node.lineno,
        bases=tuple(filter(None, (dotted_name(base) for base in node.bases))),
        play_line=play.lineno if play else given.lineno if given else None,
        play_takes=takes,
        takes_board=_can_take_board(play, takes) if play else given is not None,
        empty_play=play is not None and (_is_empty(play) or "abstractmethod" in _decorators(play)),
        methods=tuple(methods),
        stubs=tuple(method for method, body in methods.items() if _is_empty(body)),
        parameters=tuple(_parameters(builder)) if builder else (),
        takes_any_option=builder is not None and builder.args.kwarg is not None,
        asks_person=any(isinstance(call, ast.Call) and dotted_name(call.func) == "input" for call in ast.walk(node)),
    )


def _parameters(node: Function) -> Iterator[tuple[str, bool]]:
    named = [*node.args.posonlyargs, *node.args.args]
    for at, argument in enumerate(named[1:], 1):
        yield argument.arg, at < len(named) - len(node.args.defaults)
    for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        yield argument.arg, default is None


def _argument_count(node: Function) -> int:
    """How many arguments a function has room for."""
    arguments = node.args
    endless = 99 if arguments.vararg else 0
    return len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs) + endless


def _play_parameters(node: Function) -> Iterator[str]:
    arguments = [*node.args.posonlyargs, *node.args.args][("staticmethod" not in _decorators(node)) :]
    return (argument.arg for argument in (*arguments, *node.args.kwonlyargs))


def _can_take_board(node: Function, takes: tuple[str, ...]) -> bool:
    """Whether a `play` may be a player's: not one that a board or a node of a search has, which takes a move."""
    if takes and (takes[0].lower() in _A_MOVE or [name.lower() for name in takes[:2]] in _A_CELL):
        return False
    return _argument_count(node) > ("staticmethod" not in _decorators(node))


def _is_empty(node: Function) -> bool:
    """Only a docstring, `pass`, `...`, `return None` or a `raise`."""
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
