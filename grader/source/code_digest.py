"""A digest of a file's code without its imports, comments, docstrings and formatting.

Students copy a file to another folder and adapt its imports, or format it: that does not make another player of it.
"""

import ast
import hashlib
from collections import deque

_IGNORED = ("lineno", "col_offset", "end_lineno", "end_col_offset", "ctx", "kind", "type_comment", "type_ignores")


def code_digest(module: ast.Module) -> str:
    """A digest that two files share if they differ only in imports, comments, docstrings or formatting."""
    digest = hashlib.sha256()
    pending: deque[ast.AST] = deque([module])
    while pending:  # level by level, not recursive: expressions can be nested deeply
        node = pending.popleft()
        digest.update(f"\n{type(node).__name__}".encode())
        for name in node._fields:
            if name not in _IGNORED:
                value = getattr(node, name, None)
                items = _code(value) if isinstance(value, list) else [value]
                digest.update(f" {name}{len(items)}".encode())
                for item in items:
                    if isinstance(item, ast.AST):
                        pending.append(item)
                    else:
                        digest.update(_constant(item))
    return digest.hexdigest()


def _code(items: list[object]) -> list[object]:
    """A list of nodes without imports and docstrings."""
    return [item for item in items if not isinstance(item, ast.Import | ast.ImportFrom) and not _is_text(item)]


def _is_text(item: object) -> bool:
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) and isinstance(item.value.value, str)


def _constant(value: object) -> bytes:
    if isinstance(value, bytes):
        return b" b%d:%b" % (len(value), value)
    # `hex`, because Python refuses to write very large integers in decimal.
    text = hex(value) if type(value) is int else value if isinstance(value, str) else repr(value)
    data = text.encode("utf-8", "surrogatepass")
    return b" %s%d:%b" % (type(value).__name__.encode(), len(data), data)
