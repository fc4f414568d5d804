"""The functions and methods of a file, and the names that each mentions: enough to tell which a move can reach."""

import ast
from collections.abc import Iterator, Sequence

from grader.source.facts import Scope
from grader.source.syntax import Function, assigned_names, is_main_guard

_MAX_NAME = 80
"""The longest text that is kept as a name: `getattr(self, "…")` mentions it, too."""
_SKIPPED = ("annotation", "returns", "type_params")
"""The parts of the syntax tree that never run."""


def find_scopes(module: ast.Module) -> Iterator[Scope]:
    """The code of a file that runs on import, then each function and method. Nested functions belong to the outer one."""
    functions: list[tuple[str, Function]] = []
    top = _mentions(_on_import(module.body, "", functions))
    yield Scope("", 0, 0, top)
    for name, node in functions:
        first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
        yield Scope(name, first, node.end_lineno or node.lineno, _mentions(node.body))


def _on_import(body: Sequence[ast.stmt], outer: str, functions: list[tuple[str, Function]]) -> Iterator[ast.AST]:
    """The parts of these statements that run on import. The functions in them are added to the list."""
    pending: list[tuple[ast.stmt, str]] = [(node, outer) for node in reversed(body)]
    while pending:
        node, within = pending.pop()
        if isinstance(node, Function):
            functions.append((within + node.name, node))
            yield from node.decorator_list
            yield from (default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None)
        elif isinstance(node, ast.ClassDef):
            yield from (*node.decorator_list, *(word.value for word in node.keywords))
            pending += [(inner, f"{within}{node.name}.") for inner in reversed(node.body)]
        elif isinstance(node, ast.If) and is_main_guard(node):
            pending += [(inner, within) for inner in reversed(node.orelse)]
        elif blocks := _blocks(node):
            yield from (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr | ast.withitem))
            pending += [(inner, within) for inner in reversed(blocks)]
        elif assigned_names(node) != ["__all__"]:  # which only lists names
            yield node


def _blocks(node: ast.stmt) -> list[ast.stmt]:
    """The statements inside an `if`, a loop, a `with` or a `try`."""
    inner = [item for part in ("body", "orelse", "finalbody") for item in getattr(node, part, [])]
    return inner + [item for handler in getattr(node, "handlers", []) for item in handler.body]


def _mentions(nodes: Iterator[ast.AST] | Sequence[ast.AST]) -> frozenset[str]:
    """The names, attributes and short texts in this code, without annotations and imports."""
    found: set[str] = set()
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and _is_name(node.value):
            found.add(str(node.value))
        for field, value in ast.iter_fields(node):
            if field not in _SKIPPED:
                items = value if isinstance(value, list) else [value]
                pending += [item for item in items if isinstance(item, ast.AST)]
    return frozenset(found)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _MAX_NAME and value.isidentifier()
