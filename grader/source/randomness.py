"""Whether a file's code can make one game differ from another of the same moves."""

import ast
import re
from collections.abc import Iterable

RANDOM_MEMBERS = frozenset({"random", "urandom", "getrandom", "default_rng"})
"""What modules of various kinds call their source of random numbers."""
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


def draws_numbers(nodes: Iterable[ast.AST]) -> bool:
    """Whether code takes random numbers, or a seed for them."""
    return any(
        bool(_SEED.search(node.arg))
        if isinstance(node, ast.arg)
        else isinstance(node, ast.Attribute) and node.attr in RANDOM_MEMBERS
        for node in nodes
    )


def may_differ(nodes: Iterable[ast.AST]) -> bool:
    """Whether a part of the code can make one game differ from another, random numbers aside."""
    return any(map(_is_uncertain, nodes))


def _is_uncertain(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _UNCERTAIN or (node.id.startswith("__") and node.id not in _USUAL)
    if isinstance(node, ast.Attribute):
        return node.attr.startswith("__") and node.attr.endswith("__") and node.attr not in _USUAL
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, _OF_VIEWS) and (_is_view(node.left) or _is_view(node.right))
    return isinstance(node, ast.Set | ast.SetComp)


def _is_view(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "items")
