"""Read the expressions of a player's code, as far as they matter for lists of steps."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from grader.source.step_values import EVEN, ODD, Cells, CodeValue, Number, Scalars, Tables, cell, join, restrict
from grader.source.syntax import dotted_name

_MOST_ITEMS = 30
"""The longest list that is read."""
_LARGEST = 1000
"""The largest number that is read."""
_LISTS = ("list", "tuple", "set", "frozenset", "array", "asarray", "sorted", "deque")
"""Calls that return the list that they are given."""
_COLUMNS = ("c", "col", "column", "columna")
"""Names that are never a row."""


@dataclass(slots=True)
class Evaluator:
    """Reads expressions, with the names and attributes that are known so far."""

    work_left: int
    constants: dict[str, CodeValue] = field(default_factory=dict)
    """The names of the file."""
    names: dict[str, CodeValue] = field(default_factory=dict)
    """The names of the present function or class."""
    attributes: dict[str, CodeValue] = field(default_factory=dict)

    def may_go_on(self) -> bool:
        """Whether more may be read; a file that is too large or repetitive is read only in part."""
        self.work_left -= 1
        return self.work_left > 0

    def value(self, node: ast.expr) -> CodeValue:
        """The value of an expression, or None if it is unknown."""
        if not self.may_go_on():
            return None
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            return self._sequence(node, node.elts)
        if isinstance(node, ast.Dict):
            return self._dict(node)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            return self._comprehension(node, node.generators)
        if isinstance(node, ast.IfExp):
            return self._choice(node)
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        if isinstance(node, ast.Subscript):
            return self._item(node)
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            return self.value(node.args[0]) if name in (*_LISTS, "int") and node.args else None
        if isinstance(node, ast.Name | ast.Attribute):
            known, name = self.stored(node), dotted_name(node)
            return known if known is not None else Number(0, 0, name) if name else None
        return self._number(node)

    def _number(self, node: ast.expr) -> CodeValue:
        if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) <= _LARGEST:
            return Number(node.value, node.value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.value(node.operand)
            return Number(-inner.even, -inner.odd) if isinstance(inner, Number) and not inner.base else None
        if (parity := self.parity_test(node)) is not None:  # a comparison used as a number
            return Number(int(parity == EVEN), int(parity == ODD))
        return None

    def stored(self, target: ast.expr) -> CodeValue:
        """What is stored in a name or an attribute."""
        if isinstance(target, ast.Name):
            return self.names[target.id] if target.id in self.names else self.constants.get(target.id)
        return self.attributes.get(target.attr) if isinstance(target, ast.Attribute) else None

    def store(self, target: ast.expr, value: CodeValue) -> None:
        """Store a value in a name or an attribute."""
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, ast.Attribute) and value is not None:
            self.attributes[target.attr] = value

    def forget(self, target: ast.expr) -> None:
        """Forget the values of the names in a target."""
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                self.names[node.id] = None

    def bind(self, target: ast.expr, item: ast.expr) -> None:
        """Store an item of a list in the target of a loop."""
        if isinstance(target, ast.Name):
            self.names[target.id] = self.value(item)
        elif isinstance(target, ast.Tuple) and isinstance(item, ast.Tuple | ast.List):
            for one, part in zip(target.elts, item.elts, strict=False):
                self.bind(one, part)
        else:
            self.forget(target)

    def items(self, node: ast.expr) -> list[ast.expr] | None:
        """The items of a list of numbers that a loop runs over; None if they are unknown or are cells."""
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "range":
            bounds = [self.value(argument) for argument in node.args]
            numbers = [bound.even for bound in bounds if isinstance(bound, Number) and not bound.base]
            if (
                len(numbers) == len(bounds)
                and numbers
                and max(map(abs, numbers)) <= _MOST_ITEMS
                and 0 not in numbers[2:]
            ):
                return [ast.copy_location(ast.Constant(number), node) for number in range(*numbers[:3])]
            return None
        if not isinstance(node, ast.Tuple | ast.List | ast.Set) or not 0 < len(node.elts) <= _MOST_ITEMS:
            return None
        return list(node.elts) if all(isinstance(self.value(item), Number) for item in node.elts) else None

    def parity_test(self, node: ast.expr) -> str | None:
        """The rows for which a condition on the parity of a row holds."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.parity_test(node.operand)
            return None if inner is None else ODD if inner == EVEN else EVEN
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq):
            left, right = self.value(node.left), self.value(node.comparators[0])
            if not isinstance(left, Number) or not isinstance(right, Number) or left.base or right.base:
                return None
            if right.even != right.odd or left.even == left.odd or right.even not in (left.even, left.odd):
                return None
            holds_on_even = (left.even == right.even) == isinstance(node.ops[0], ast.Eq)
            return EVEN if holds_on_even else ODD
        if isinstance(node, ast.BinOp | ast.Name):
            value = self.value(node)
            if isinstance(value, Number) and not value.base and {value.even, value.odd} == {0, 1}:
                return EVEN if value.even else ODD
        return None

    def truth(self, node: ast.expr) -> bool | None:
        """Whether a condition on plain numbers holds; None if it is unknown."""
        if not self.may_go_on():
            return None
        if isinstance(node, ast.BoolOp):
            parts = [self.truth(part) for part in node.values]
            is_and = isinstance(node.op, ast.And)
            if (not is_and) in parts:
                return not is_and
            return is_and if None not in parts else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.truth(node.operand)
            return None if inner is None else not inner
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return _compare(node.ops[0], self._plain(node.left), self._plain(node.comparators[0]))
        plain = self._plain(node)
        return bool(plain) if isinstance(plain, int) else None

    def _plain(self, node: ast.expr) -> int | tuple[int, ...] | None:
        """A plain number, or a tuple of them."""
        if isinstance(node, ast.Tuple):
            parts = [self._plain(part) for part in node.elts]
            return tuple(part for part in parts if isinstance(part, int)) if None not in parts else None
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "abs" and len(node.args) == 1:
            inner = self._plain(node.args[0])
            return abs(inner) if isinstance(inner, int) else None
        value = self.value(node)
        return value.even if isinstance(value, Number) and not value.base and value.even == value.odd else None

    def _sequence(self, node: ast.expr, elements: Sequence[ast.expr]) -> CodeValue:
        if not 0 < len(elements) <= _MOST_ITEMS:
            return None
        cells = [self.value(item.value if isinstance(item, ast.Starred) else item) for item in elements]
        numbers = [value for value in cells if isinstance(value, Number)]
        if len(numbers) == len(cells):
            pair = (
                cell(numbers[0], numbers[1], _origin(node))
                if len(numbers) == 2 and not isinstance(node, ast.Set)
                else None
            )
            return pair or Scalars(tuple(numbers), node.lineno, _origin(node))
        lists = [value for value in cells if isinstance(value, Cells)]
        if len(lists) != len(cells):
            return None
        if len(lists) == 2 and not any(value.is_cell for value in lists):
            return Tables(tuple(lists), (0, 1))
        joined = lists[0]
        for value in lists[1:]:
            joined = join(joined, value)
        return replace(joined, line=node.lineno, is_cell=False)

    def _dict(self, node: ast.Dict) -> CodeValue:
        if not 0 < len(node.values) <= _MOST_ITEMS:
            return None
        values = [self.value(value) for value in node.values]
        lists = [value for value in values if isinstance(value, Cells)]
        if len(lists) != len(values):
            return None
        if all(value.is_cell for value in lists):  # {"N": (-1, 0), …}
            return self._sequence(node, node.values)
        keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
        return Tables(tuple(lists), tuple(keys))

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, generators: Sequence[ast.comprehension]
    ) -> CodeValue:
        if not generators:
            return self.value(node.elt)
        first, *rest = generators
        items = self.items(first.iter)
        if items is None:
            return self._moved(node, generators)
        before, joined = dict(self.names), Cells()
        for item in items:
            self.bind(first.target, item)
            if any(self.truth(test) is False for test in first.ifs):
                continue
            value = self._comprehension(node, rest)
            if isinstance(value, Cells):
                joined = join(joined, value)
        self.names = before
        return replace(joined, line=node.lineno) if joined.origins else None

    def _moved(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, generators: Sequence[ast.comprehension]
    ) -> CodeValue:
        """The cells that a comprehension over a list of steps makes: `[(r + dr, c + dc) for dr, dc in STEPS]`."""
        steps, target = self.value(generators[0].iter), generators[0].target
        if (
            not isinstance(steps, Cells)
            or steps.is_relative
            or len(generators) > 1
            or not isinstance(node.elt, ast.Tuple)
        ):
            return None
        names = [part.id for part in ast.walk(target) if isinstance(part, ast.Name)]
        added = [
            {part.id for part in (item.left, item.right) if isinstance(part, ast.Name)}
            for item in node.elt.elts
            if isinstance(item, ast.BinOp) and isinstance(item.op, ast.Add)
        ]
        is_moved = len(names) == len(added) == 2 and names[0] in added[0] and names[1] in added[1]
        return replace(steps, is_relative=True) if is_moved else None

    def _choice(self, node: ast.IfExp) -> CodeValue:
        parity = self.parity_test(node.test)
        if parity is None:
            return None
        even, odd = (node.body, node.orelse) if parity == EVEN else (node.orelse, node.body)
        one, other = self.value(even), self.value(odd)
        if isinstance(one, Number) and isinstance(other, Number) and one.base == other.base:
            return Number(one.even, other.odd, one.base)
        if isinstance(one, Cells) and isinstance(other, Cells):
            return replace(join(restrict(one, EVEN), restrict(other, ODD)), line=node.lineno)
        return None

    def _operation(self, node: ast.BinOp) -> CodeValue:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(left, Cells) and isinstance(right, Cells) and isinstance(node.op, ast.Add | ast.BitOr):
            return replace(join(left, right), line=node.lineno)
        if not isinstance(left, Number) or not isinstance(right, Number):
            return None
        if isinstance(node.op, ast.Mod | ast.BitAnd) and not right.base and right.even == right.odd:
            modulus = 2 if isinstance(node.op, ast.Mod) else 1
            # A row that is even on even rows: `row % 2`, `(row + 1) % 2`, `row & 1`.
            if left.base and right.even == modulus and left.base not in _COLUMNS:
                return Number(left.even % 2, (left.odd + 1) % 2)
            return None
        if isinstance(node.op, ast.Add) and not (left.base and right.base):
            return Number(left.even + right.even, left.odd + right.odd, left.base or right.base)
        if isinstance(node.op, ast.Sub) and not right.base:
            return Number(left.even - right.even, left.odd - right.odd, left.base)
        if isinstance(node.op, ast.Mult) and not left.base and not right.base:
            return Number(left.even * right.even, left.odd * right.odd)
        return None

    def _item(self, node: ast.Subscript) -> CodeValue:
        """An item of several lists, chosen by the parity of the row; any other item is like a variable."""
        table, index = self.value(node.value), self.value(node.slice)
        if isinstance(table, Tables) and isinstance(index, Number) and not index.base:
            even, odd = table.select(index.even), table.select(index.odd)
            if even is not None and odd is not None and index.even != index.odd:
                return replace(join(restrict(even, EVEN), restrict(odd, ODD)), line=node.lineno)
        if isinstance(table, Number) and table.base and isinstance(index, Number):
            return Number(0, 0, f"{table.base}[{index.base}{index.even}]")
        return None


def _origin(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _compare(operator: ast.cmpop, left: object, right: object) -> bool | None:
    if left is None or right is None or type(left) is not type(right):
        return None
    if isinstance(operator, ast.Eq):
        return left == right
    if isinstance(operator, ast.NotEq):
        return left != right
    return None
