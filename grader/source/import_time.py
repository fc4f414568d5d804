"""What a file runs when it is imported, apart from definitions and cheap assignments."""

import ast
from collections.abc import Iterator, Sequence

from grader.language import Message, say
from grader.source.syntax import dotted_parts, is_main_guard

_HARMLESS = (
    *("sys.path.", "sys.setrecursionlimit", "sys.stdout.reconfigure", "random.seed", "np.random.seed"),
    *("numpy.random.seed", "warnings.", "logging.", "np.seterr", "numpy.seterr", "np.set_printoptions"),
    "numpy.set_printoptions",
)
"""Calls that only change settings and take no time."""


def import_time_work(module: ast.Module) -> Iterator[tuple[Message, int]]:
    """What runs on import, as a sentence, and its line.

    Reported are loops, calls whose result is not used, and calls of the file's own functions and classes, because these
    may take any amount of time, while `INFINITY = float("inf")` takes none.
    """
    own = {node.name for node in module.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in _statements(module.body):
        if isinstance(node, ast.For | ast.While | ast.AsyncFor):
            yield say("A top-level loop runs on import."), node.lineno
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            name = ".".join(dotted_parts(node.value.func, most=4))
            if not name.startswith(_HARMLESS):
                yield _call_sentence(name), node.lineno
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value is not None:
            yield from ((_call_sentence(name), line) for name, line in _own_calls(node.value, own))


def _call_sentence(name: str) -> Message:
    return (
        say("A top-level call to {name}() runs on import.", name=name)
        if name
        else say("A top-level call runs on import.")
    )


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run on import, in order; of a loop, only the loop itself."""
    pending = list(reversed(body))  # not recursive: a chain of a thousand `elif` is a thousand deep
    while pending:
        node = pending.pop()
        yield node
        pending += reversed(_inner_statements(node))


def _inner_statements(node: ast.stmt) -> Sequence[ast.stmt]:
    if isinstance(node, ast.If):
        return node.orelse if is_main_guard(node) else [*node.body, *node.orelse]
    if isinstance(node, ast.Try):
        handled = [inner for handler in node.handlers for inner in handler.body]
        return [*node.body, *handled, *node.orelse, *node.finalbody]
    return node.body if isinstance(node, ast.With) else []


def _own_calls(value: ast.expr, own: set[str]) -> Iterator[tuple[str, int]]:
    if isinstance(value, ast.Lambda):
        return
    for node in ast.walk(value):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in own:
            yield node.func.id, node.lineno
