"""Whether a player leaves nothing to chance, as far as its code tells: then the same game follows from any seed.

Nothing is imported or run. It is said only of code that keeps to plain Python and to modules in which there is no chance, no
clock and nothing of the machine. Of most players it cannot be said, also of many that never do anything by chance. Code that
hides its chance is not found out here, and gains nothing by it.
"""

import ast
import re
import warnings
from collections.abc import Iterator

from grader.intake.entry import Entry
from grader.intake.files import list_files
from grader.intake.source import Import, Source, read_source
from grader.intake.tree import Tree, submodule

CERTAIN = frozenset(
    {
        *("__future__", "abc", "array", "bisect", "collections", "collections.abc", "copy", "dataclasses", "decimal"),
        *("enum", "fractions", "functools", "heapq", "itertools", "math", "numbers", "operator", "string", "typing"),
    }
)
"""Modules in which the same always follows from the same."""
_COURSE = frozenset({"player", "board", "environment"})
_UNCERTAIN = frozenset(
    {
        # Where an object lies in memory differs from process to process, and so does the order of a set of objects.
        *("id", "hash", "set", "frozenset"),
        *("open", "input", "eval", "exec", "compile", "globals", "locals", "vars", "breakpoint", "memoryview"),
    }
)
_USUAL = frozenset({"__init__", "__name__", "__class__"})
_SEED = re.compile(r"seed|semilla", re.IGNORECASE)
"""What a parameter is called that gets the game's seed."""
_OF_VIEWS = (ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor)
"""What makes a set of the keys of dictionaries."""


def leaves_nothing_to_chance(entry: Entry) -> bool:
    """Whether the code that an entry reaches can depend on nothing but the boards that it is shown."""
    root = entry.root.resolve()
    read = (read_source(root, file) for file in list_files(root).python)
    tree = Tree([source for source in read if isinstance(source, Source)])
    start = next((source for source in tree.sources if source.file == entry.file), None)
    if start is None or entry.kind != "class":
        return False
    provided = _COURSE | set(entry.course_modules)
    return all(
        all(_is_certain(taken, source, tree, provided) for taken in source.imports)
        and not any(map(_may_differ, _nodes(entry, source)))
        for source in tree.reachable(start)
    )


def _is_certain(taken: Import, source: Source, tree: Tree, provided: set[str] | frozenset[str]) -> bool:
    own = tree.module(taken, source) or tree.module(submodule(taken), source)
    return own is not None or (taken.level == 0 and (taken.module in CERTAIN or taken.module in provided))


def _nodes(entry: Entry, source: Source) -> Iterator[ast.AST]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.walk(ast.parse((entry.root / source.file).read_bytes()))


def _may_differ(node: ast.AST) -> bool:
    """Whether a part of the code can make one game differ from another."""
    if isinstance(node, ast.Name):
        return node.id in _UNCERTAIN or (node.id.startswith("__") and node.id not in _USUAL)
    if isinstance(node, ast.Attribute):
        return node.attr.startswith("__") and node.attr.endswith("__") and node.attr not in _USUAL
    if isinstance(node, ast.arg):
        return bool(_SEED.search(node.arg))
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, _OF_VIEWS) and (_is_view(node.left) or _is_view(node.right))
    return isinstance(node, ast.Set | ast.SetComp)


def _is_view(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "items")
