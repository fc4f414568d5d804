"""Small questions about syntax trees that several readers ask."""

import ast
from collections.abc import Iterable, Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run on import: also those under an `if`, a `try` or a `with`, but not under `__main__`."""
    for node in body:
        yield node
        if isinstance(node, ast.If) and is_main_guard(node):
            yield from statements(node.orelse)
        elif not isinstance(node, Function | ast.ClassDef):
            for part in ("body", "orelse", "finalbody"):
                yield from statements(getattr(node, part, []))
            for handler in getattr(node, "handlers", []):
                yield from statements(handler.body)


def is_main_guard(node: ast.If) -> bool:
    """Whether an `if` asks for `__name__`."""
    return any(isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(node.test))


def dotted_parts(node: ast.expr, most: int) -> list[str]:
    """`a.b.c` as its parts; nothing for what is not just names, or has more than so many behind the first.

    The limit is there because a name of a million parts would keep a reader busy that asks for each part of it.
    """
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < most:
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else []


def dotted_name(node: ast.expr) -> str:
    """`a.b` as a text, also of `a.b[c]`; empty for anything that is not just names."""
    if isinstance(node, ast.Subscript):  # Generic[T]
        return dotted_name(node.value)
    if isinstance(node, ast.Attribute):
        inner = dotted_name(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return node.id if isinstance(node, ast.Name) else ""


def assigned_names(node: ast.stmt) -> list[str]:
    """The names that a statement assigns to."""
    if isinstance(node, ast.Assign):
        return [dotted_name(target) for target in node.targets]
    return [dotted_name(node.target)] if isinstance(node, ast.AnnAssign) and node.value is not None else []
