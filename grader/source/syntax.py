"""Small functions on syntax trees that several modules use."""

import ast
from collections.abc import Iterable, Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run on import, also inside `if`, `try` and `with`, but not under `if __name__ == "__main__"`."""
    pending = list(body)[::-1]  # not recursive: a chain of a thousand `elif` is a thousand deep
    while pending:
        node = pending.pop()
        yield node
        pending += _inner_statements(node)[::-1]


def _inner_statements(node: ast.stmt) -> list[ast.stmt]:
    if isinstance(node, ast.If) and is_main_guard(node):
        return node.orelse
    if isinstance(node, Function | ast.ClassDef):
        return []
    inner = [item for part in ("body", "orelse", "finalbody") for item in getattr(node, part, [])]
    return inner + [item for handler in getattr(node, "handlers", []) for item in handler.body]


def is_main_guard(node: ast.If) -> bool:
    """Whether an `if` tests `__name__`."""
    return any(isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(node.test))


def dotted_parts(node: ast.expr, most: int) -> list[str]:
    """The parts of `a.b.c`; empty if it is anything but names, or has more than `most` parts after the first.

    The limit keeps a name with a million parts from making its readers slow.
    """
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < most:
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else []


def dotted_name(node: ast.expr) -> str:
    """The text `a.b`, also of `a.b[c]`; empty for anything but names."""
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
