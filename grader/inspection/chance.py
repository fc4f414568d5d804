"""What a player leaves to chance, as far as its code tells: if nothing, the same game follows from any seed.

Nothing is imported or run. That there is no chance is said only of code that keeps to plain Python and to modules in which
there is none, no clock and nothing of the machine; that there is some, of code that takes random numbers or asks for a seed.
Of all else nothing is known. Code that hides its chance is not found out here, and gains nothing by it.
"""

import ast
import enum
import re
import warnings
from collections.abc import Iterator

from grader.inspection.entry import Entry
from grader.inspection.import_graph import Tree, submodule
from grader.intake.course import course_files
from grader.intake.files import list_files
from grader.source.reading import Import, Source, read_source

CERTAIN = frozenset(
    {
        *("__future__", "abc", "array", "bisect", "collections", "collections.abc", "copy", "dataclasses", "decimal"),
        *("enum", "fractions", "functools", "heapq", "itertools", "math", "numbers", "operator", "string", "typing"),
    }
)
"""Modules in which the same always follows from the same."""
_RANDOM = frozenset({"random", "secrets", "uuid", "numpy.random", "scipy.stats"})
"""Modules that are imported for their chance."""
_DRAWN = frozenset({"random", "urandom", "getrandom", "default_rng"})
"""Members of other modules that are asked for it."""
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


class Chance(enum.Enum):
    """What a player leaves to chance."""

    NONE = "none"
    """It can depend on nothing but the boards that it is shown."""
    UNKNOWN = "unknown"
    SOME = "some"
    """It uses random numbers, though perhaps not in every game."""


def chance(entry: Entry) -> Chance:
    """What the code that an entry reaches leaves to chance."""
    root = entry.root.resolve()
    read = (read_source(root, file) for file in list_files(root).python)
    tree = Tree([source for source in read if isinstance(source, Source)])
    start = next((source for source in tree.sources if source.file == entry.file), None)
    if start is None:
        return Chance.UNKNOWN
    provided = course_files() | set(entry.course_modules)
    sources = list(tree.reachable(start))
    nodes = [node for source in sources for node in _nodes(entry, source)]
    imports = [(taken, source) for source in sources for taken in source.imports]
    foreign = [taken for taken, source in imports if not _is_own(taken, source, tree)]
    if any(_is_random(taken) for taken, _ in imports) or any(map(_draws, nodes)):
        return Chance.SOME
    known = all(taken.level == 0 and (taken.module in CERTAIN or taken.module in provided) for taken in foreign)
    return Chance.NONE if known and entry.kind == "class" and not any(map(_may_differ, nodes)) else Chance.UNKNOWN


def _is_own(taken: Import, source: Source, tree: Tree) -> bool:
    return (tree.module(taken, source) or tree.module(submodule(taken), source)) is not None


def _is_random(taken: Import) -> bool:
    """Also where a file of that name lies beside it: a player gets Python's own `random`."""
    modules = {taken.module, submodule(taken).module}
    return taken.level == 0 and (not modules.isdisjoint(_RANDOM) or taken.name in _DRAWN)


def _nodes(entry: Entry, source: Source) -> Iterator[ast.AST]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.walk(ast.parse((entry.root / source.file).read_bytes()))


def _draws(node: ast.AST) -> bool:
    """Whether a part of the code takes random numbers, or a seed for them."""
    if isinstance(node, ast.arg):
        return bool(_SEED.search(node.arg))
    return isinstance(node, ast.Attribute) and node.attr in _DRAWN


def _may_differ(node: ast.AST) -> bool:
    """Whether a part of the code can make one game differ from another."""
    if isinstance(node, ast.Name):
        return node.id in _UNCERTAIN or (node.id.startswith("__") and node.id not in _USUAL)
    if isinstance(node, ast.Attribute):
        return node.attr.startswith("__") and node.attr.endswith("__") and node.attr not in _USUAL
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, _OF_VIEWS) and (_is_view(node.left) or _is_view(node.right))
    return isinstance(node, ast.Set | ast.SetComp)


def _is_view(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "items")
