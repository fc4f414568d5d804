"""What a file runs when it is imported, apart from definitions and cheap assignments."""

import ast
from collections.abc import Iterator, Sequence

from grader.language import Message, say
from grader.source.syntax import dotted_parts, is_main_guard

HARMLESS = (
    *("sys.path.", "sys.setrecursionlimit", "sys.stdout.reconfigure", "random.seed", "np.random.seed"),
    *("numpy.random.seed", "warnings.", "logging.", "np.seterr", "numpy.seterr", "np.set_printoptions"),
    "numpy.set_printoptions",
)
"""Calls that only change settings and take no time."""
BUILDING = (".append", ".add", ".update", ".extend", ".insert", ".setdefault", ".sort", ".setflags")
"""Methods with which a constant is built."""


def import_time_work(module: ast.Module) -> Iterator[tuple[Message, int]]:
    """What runs on import, as a sentence, and its line.

    Reported are `while` loops, and calls whose result is not used, because these may play a whole game. A constant is not
    reported, even if a function or a `for` loop builds it: how long loading takes is measured.
    """
    for node in _statements(module.body):
        if isinstance(node, ast.While):
            yield say("A top-level loop runs on import."), node.lineno
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            name = ".".join(dotted_parts(node.value.func, most=4))
            if not name.startswith(HARMLESS) and not name.endswith(BUILDING):
                yield _call_sentence(name), node.lineno


def _call_sentence(name: str) -> Message:
    return (
        say("A top-level call to {name}() runs on import.", name=name)
        if name
        else say("A top-level call runs on import.")
    )


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run on import, in order; of a `while` loop, only the loop itself."""
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
    return [*node.body, *getattr(node, "orelse", [])] if isinstance(node, ast.With | ast.For) else []
