"""Find code that leads to neighbouring cells, but whose steps cannot be read as a list.

There are two kinds: numbers of cells (`i - size + 1`), and cells to which a loop adds steps that only running would show
(`(r + dr, c + dc)`, where `dr` and `dc` are parsed from a text). This only says that there is such code, and where.
"""

import ast
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from grader.source.step_expressions import Evaluator
from grader.source.step_values import Cells, Scalars, Tables
from grader.source.syntax import dotted_name

_DEEPEST = 6
"""The deepest sum that is read."""
_MOST_SUMS = 2000
"""The most sums that are compared in one function."""


class _Sum(NamedTuple):
    """A sum of variables and a number, e.g. `i - size + 1`."""

    terms: frozenset[tuple[str, int]]
    number: int

    def shifted(self, by: int) -> "_Sum":
        return _Sum(self.terms, self.number + by)

    def opposite(self, term: tuple[str, int]) -> "_Sum":
        name, sign = term
        return _Sum(self.terms - {term} | {(name, -sign)}, self.number)

    def without(self, term: tuple[str, int]) -> "_Sum":
        return _Sum(self.terms - {term}, self.number)


def find_index_arithmetic(nodes: Sequence[ast.AST]) -> Iterator[int]:
    """The line of the first neighbours in this code that are written as numbers of cells, e.g. `i - size + 1, i + size - 1`."""
    sums: dict[_Sum, int] = {}
    for node in nodes:
        if isinstance(node, ast.List | ast.Tuple | ast.Set) and len(node.elts) >= 4:
            items = {found: item.lineno for item in node.elts if (found := _sum(item)) is not None}
            if (line := _first_neighbours(items, from_nowhere=True)) is not None:
                yield line
                return
        if isinstance(node, ast.BinOp) and len(sums) < _MOST_SUMS and (found := _sum(node)) is not None:
            sums.setdefault(found, node.lineno)
    if (line := _first_neighbours(sums, from_nowhere=False)) is not None:
        yield line


def _first_neighbours(sums: dict[_Sum, int], *, from_nowhere: bool) -> int | None:
    """Where there are two neighbours on opposite sides of a cell: across a corner, or in all four directions."""
    for one, line in sums.items():
        for term in one.terms:
            other, middle = one.opposite(term), one.without(term)
            if not middle.terms and not from_nowhere:
                continue
            is_cross = other in sums and middle.shifted(1) in sums and middle.shifted(-1) in sums
            if is_cross or other.shifted(2) in sums or other.shifted(-2) in sums:
                return line
    return None


def _sum(node: ast.expr, depth: int = 0) -> _Sum | None:
    if depth > _DEEPEST:
        return None
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return _Sum(frozenset(), node.value)
    if isinstance(node, ast.Name | ast.Attribute):
        name = dotted_name(node)
        return _Sum(frozenset({(name, 1)}), 0) if name else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _sum(node.operand, depth + 1)
        return None if inner is None else _added(_Sum(frozenset(), 0), inner, -1)
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _sum(node.left, depth + 1), _sum(node.right, depth + 1)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Add | ast.Sub):
        return _added(left, right, 1 if isinstance(node.op, ast.Add) else -1)
    if isinstance(node.op, ast.Mult):  # (row - 1) * size
        return _multiplied(left, right) if _is_variable(right) else _multiplied(right, left)
    return None


def _is_variable(one: _Sum) -> bool:
    return one.number == 0 and [factor for _, factor in one.terms] == [1]


def _added(one: _Sum, other: _Sum, sign: int) -> _Sum:
    terms = dict(one.terms)
    for name, factor in other.terms:
        terms[name] = terms.get(name, 0) + sign * factor
    return _Sum(frozenset((name, factor) for name, factor in terms.items() if factor), one.number + sign * other.number)


def _multiplied(one: _Sum, other: _Sum) -> _Sum | None:
    if not _is_variable(other):
        return None
    ((name, _),) = other.terms
    terms = {(f"{term}*{name}", factor) for term, factor in one.terms}
    return _Sum(frozenset(terms | ({(name, one.number)} if one.number else set())), 0)


def find_unread_loops(nodes: Sequence[ast.AST], values: Evaluator, functions: Collection[str]) -> Iterator[int]:
    """The lines with cells, `(r + dr, c + dc)`, whose steps come from a loop over something that cannot be read.

    The lists of `functions`, which are defined in the same file, are read on their own.
    """
    read, unread = set[str](), set[str]()
    for node in nodes:
        if isinstance(node, ast.For | ast.comprehension):
            names = {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
            (read if _is_read(node.iter, values, functions) else unread).update(names)
    for node in nodes:
        pair = _pair(node)
        operands = [_operands(part) for part in pair]
        if pair and all(names & unread and not names & read for names in operands) and operands[0] != operands[1]:
            yield pair[0].lineno


def _pair(node: ast.AST) -> list[ast.expr]:
    """The row and the column of a cell: in a tuple, as arguments, as indices, or assigned one after the other."""
    if isinstance(node, ast.Tuple | ast.List):
        return node.elts[:2] if len(node.elts) >= 2 else []
    if isinstance(node, ast.Call):
        return node.args[:2] if len(node.args) >= 2 else []
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript):
        return [node.value.slice, node.slice]
    if not isinstance(node, ast.For):
        return []
    sums = [item.value for item in node.body if isinstance(item, ast.Assign) and _operands(item.value)]
    return sums[:2] if len(sums) >= 2 else []


def _operands(node: ast.expr) -> set[str]:
    """The variables in a sum of two values that are not constants; empty for anything else."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
        return set()
    sides = [{part.id for part in ast.walk(side) if isinstance(part, ast.Name)} for side in (node.left, node.right)]
    return sides[0] | sides[1] if all(sides) else set()


def _is_read(node: ast.expr, values: Evaluator, functions: Collection[str]) -> bool:
    """Whether the steps that a loop runs over are known, or are read elsewhere: in another file or function."""
    if isinstance(node, ast.Name):
        if node.id not in values.names and node.id not in values.constants:
            return True
        return isinstance(values.stored(node), Cells | Tables | Scalars)
    if isinstance(node, ast.Subscript):
        return _is_read(node.value, values, functions)
    if isinstance(node, ast.IfExp):
        return _is_read(node.body, values, functions) and _is_read(node.orelse, values, functions)
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in functions or values.items(node) is not None:
            return True
        if name in ("zip", "enumerate") and node.args:
            return all(_is_read(argument, values, functions) for argument in node.args)
    return isinstance(values.value(node), Cells | Tables | Scalars)
