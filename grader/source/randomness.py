"""Whether a file's code can make two games differ although both started the same way."""

import ast
import re
from collections.abc import Iterable

RANDOM_MEMBERS = frozenset({"random", "urandom", "getrandom", "default_rng"})
"""Names under which modules offer random numbers."""
_UNCERTAIN = frozenset(
    {
        # The memory address of an object differs between processes, and so does the order of a set of objects.
        *("id", "hash", "set", "frozenset"),
        *("open", "input", "eval", "exec", "compile", "globals", "locals", "vars", "breakpoint", "memoryview"),
    }
)
_HARMLESS_NAMES = frozenset({"__init__", "__name__", "__class__"})
_SEED = re.compile(r"seed|semilla", re.IGNORECASE)
"""The names of parameters that receive the game's seed."""
_SET_OPERATORS = (ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor)
"""Operators that turn the keys of dictionaries into a set."""


def draws_numbers(nodes: Iterable[ast.AST]) -> bool:
    """Whether code uses random numbers, or takes a seed for them."""
    return any(
        bool(_SEED.search(node.arg))
        if isinstance(node, ast.arg)
        else isinstance(node, ast.Attribute) and node.attr in RANDOM_MEMBERS
        for node in nodes
    )


def may_differ(nodes: Iterable[ast.AST]) -> bool:
    """Whether anything in the code other than random numbers can make one game differ from another."""
    return any(map(_is_uncertain, nodes))


def _is_uncertain(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _UNCERTAIN or (node.id.startswith("__") and node.id not in _HARMLESS_NAMES)
    if isinstance(node, ast.Attribute):
        return node.attr.startswith("__") and node.attr.endswith("__") and node.attr not in _HARMLESS_NAMES
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, _SET_OPERATORS) and (_is_view(node.left) or _is_view(node.right))
    return isinstance(node, ast.Set | ast.SetComp)


def _is_view(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "items")
