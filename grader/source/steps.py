"""Find the lists of steps to neighbouring cells in a file, e.g. `[(-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1)]`.

Students write them in many ways: as numbers, as cells (`(r - 1, c)`), one by one, in a dict or in two lists for even and odd
rows, with an `if` or an arithmetic expression for the parity of the row, as two parallel lists, or as nested loops. The code is
read like a simple interpreter would run it, on values that only know numbers, lists, and the parity of the row. What it does
not understand it leaves out, so a list that is found was really written, but not every list is found. Code that seems to lead
to neighbouring cells in a way that cannot be read is reported as a list without steps.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from grader.source.facts import Steps
from grader.source.step_arithmetic import find_index_arithmetic, find_unread_loops
from grader.source.step_expressions import Evaluator
from grader.source.step_values import BOTH, EVEN, ODD, Cells, CodeValue, Number, Scalars, Tables, join, restrict
from grader.source.syntax import Function, is_main_guard

_FEWEST = 4
"""Fewer steps than this are not a neighbourhood."""
_MOST_WORK = 100_000
"""The most expressions that are read in one file."""
_MOST_FOUND, _MOST_TABLES = 500, 50
"""The most lists that are compared, and the most that are kept."""
_OTHER = {EVEN: ODD, ODD: EVEN}
_LEAVING = (ast.Return, ast.Continue, ast.Raise)
_ADDING = ("append", "add", "extend", "update", "insert")


def find_steps(module: ast.Module) -> Iterator[Steps]:
    """The lists of at least four different steps to adjacent cells, each with its line, and those that cannot be read."""
    reader = _StatementReader(Evaluator(_MOST_WORK))
    try:
        reader.read_module(module)
    except (RecursionError, OverflowError):  # code that is nested like this has no readable list
        return
    yield from _widest(reader.found)
    for line in sorted(reader.unreadable)[:_MOST_TABLES]:
        yield Steps(line, "", frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class _Found:
    """A list of steps, where it is, and the constant or attribute that holds it."""

    line: int
    name: str
    cells: Cells


def _widest(found: Sequence[_Found]) -> Iterator[Steps]:
    """The lists without those that are only a part of another: a list of four that is later extended to six.

    Of the same list found twice, the last counts: first its definition is found, then what is made of it.
    """
    last: dict[frozenset[tuple[int, int]], _Found] = {}
    for one in found:
        before = last.get(one.cells.origins)
        if not one.cells.is_half and (before is None or before.line != one.line):
            last[one.cells.origins] = one
    whole = [one for origins, one in last.items() if not any(origins < other for other in last)]
    for one in whole[:_MOST_TABLES]:
        yield Steps(one.line, one.name, one.cells.even, one.cells.odd)


@dataclass(slots=True)
class _StatementReader:
    """Reads statements in order, and collects the lists of steps that they make."""

    values: Evaluator
    found: list[_Found] = field(default_factory=list)
    unreadable: set[int] = field(default_factory=set)
    """The lines that seem to lead to neighbouring cells in a way that cannot be read."""
    parity: str = BOTH
    """The rows for which the present statement runs."""
    loaded: frozenset[str] | None = None
    """The names that the present function uses, and does not only assign to; None outside functions."""
    functions: frozenset[str] = frozenset()
    """The names of the functions and methods in the file."""

    def read_module(self, module: ast.Module) -> None:
        """The top level first, then classes, then functions, constructors first: they define what others use."""
        functions: list[Function] = []
        self._read_body([node for node in module.body if not isinstance(node, Function | ast.ClassDef)], functions)
        self.values.constants, self.values.names = self.values.names, {}
        self._record_all(self.values.constants, named=True)
        self._read_classes(module.body, functions)
        functions += [node for node in module.body if isinstance(node, Function)]
        functions.sort(key=lambda node: node.name != "__init__")
        self.functions = frozenset(node.name for node in functions)
        for node in functions:
            self._read_function(node)
        self._record_all(self.values.attributes, named=True)

    def _read_classes(self, body: Iterable[ast.stmt], functions: list[Function]) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                self._read_body(
                    [item for item in node.body if not isinstance(item, Function | ast.ClassDef)], functions
                )
                self._record_all(self.values.names, named=True)
                self.values.attributes |= self.values.names
                self.values.names = {}
                functions += [item for item in node.body if isinstance(item, Function)]
                self._read_classes(node.body, functions)

    def _read_function(self, node: Function) -> None:
        """Read a function with names of its own. Its calls and yields of cells are lists, too."""
        outer = self._copied_names()
        arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        self.values.names |= dict.fromkeys((argument.arg for argument in arguments), None)
        inner: list[Function] = []
        nodes, loaded = list(ast.walk(node)), self.loaded
        self.values.work_left -= len(nodes)
        self.loaded = frozenset(
            part.id for part in nodes if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
        )
        self._read_body(node.body, inner)
        self._record_new(outer)
        if self.values.may_go_on():
            self.unreadable |= {*find_index_arithmetic(nodes), *find_unread_loops(nodes, self.values, self.functions)}
        for function in inner:
            self._read_function(function)
        self.values.names, self.loaded = outer, loaded

    def _copied_names(self) -> dict[str, CodeValue]:
        """The present names. From now on, a copy of them is used."""
        self.values.work_left -= len(self.values.names)
        names, self.values.names = self.values.names, dict(self.values.names)
        return names

    def _record_new(self, before: dict[str, CodeValue]) -> None:
        """Record the lists that were stored in names since then, unless the function never uses the name."""
        self._record_all(
            {
                name: value
                for name, value in self.values.names.items()
                if before.get(name) is not value and self._is_used(name)
            }
        )

    def _is_used(self, name: str) -> bool:
        return self.loaded is None or name in self.loaded or name.startswith(".")

    def _read_body(self, body: Iterable[ast.stmt], functions: list[Function]) -> None:
        outer = self.parity
        for node in body:
            self._read_statement(node, functions)
            if isinstance(node, ast.If) and isinstance(node.body[-1], _LEAVING) and not node.orelse:
                known = self.values.parity_test(node.test)
                self.parity = _OTHER[known] if known is not None else self.parity
        self.parity = outer

    def _read_statement(self, node: ast.stmt, functions: list[Function]) -> None:
        if not self.values.may_go_on():
            return
        if isinstance(node, Function):
            functions.append(node)
            return
        self._read_comprehensions(node)
        if isinstance(node, ast.Assign):
            value = self._value(node.value)
            for target in node.targets:
                self._assign(target, value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._assign(node.target, self._value(node.value))
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            self._add(node.target, self._value(node.value))
        elif isinstance(node, ast.If):
            self._read_if(node, functions)
        elif isinstance(node, ast.For):
            self._read_for(node, functions)
        elif isinstance(node, ast.While | ast.With | ast.Try):
            self._read_calls(getattr(node, "test", None))
            handlers = [item for handler in getattr(node, "handlers", []) for item in handler.body]
            blocks = (node.body, handlers, getattr(node, "orelse", []), getattr(node, "finalbody", []))
            self._read_body([item for block in blocks for item in block], functions)
        elif isinstance(node, ast.Return | ast.Expr) and node.value is not None:
            self._read_expression(node.value)

    def _read_comprehensions(self, node: ast.stmt) -> None:
        """The lists that the comprehensions in a statement run over, without those in the statements inside it."""
        for child in ast.iter_child_nodes(node):
            for part in ast.walk(child) if isinstance(child, ast.expr) else ():
                if isinstance(part, ast.comprehension) and self.values.may_go_on():
                    self._record_expression(part.iter)

    def _read_expression(self, node: ast.expr) -> None:
        """An expression on its own: a result, a yield, a list that grows, or a call with a cell."""
        if isinstance(node, ast.Yield) and node.value is not None:
            self._grow(".yield", self._value(node.value), node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ADDING:
            for argument in node.args:
                self._add(node.func.value, self._value(argument))
                self._read_calls(argument)
        else:
            self._record_expression(node)
            self._read_calls(node)

    def _record_expression(self, node: ast.expr) -> None:
        value = self._value(node)
        if self.parity == BOTH:
            self._record(node.lineno, value)
        else:  # one of two lists, for even and for odd rows
            self._grow(".alternative", value, node)

    def _read_calls(self, node: ast.expr | None) -> None:
        """Calls such as `dfs(r - 1, c)`: those of one function in one scope are a list of cells."""
        for call in ast.walk(node) if node is not None else ():
            if not self.values.may_go_on():
                return
            if isinstance(call, ast.Call) and len(call.args) >= 2:
                name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                pair = self._value(ast.copy_location(ast.Tuple(call.args[:2], ast.Load()), call))
                if isinstance(pair, Cells) and pair.is_relative:
                    self._grow(f".{name}", pair, call)

    def _read_if(self, node: ast.If, functions: list[Function]) -> None:
        if is_main_guard(node):
            return
        known = self.values.parity_test(node.test)
        outer = self.parity
        if known is not None:
            for parity, body in ((known, node.body), (_OTHER[known], node.orelse)):
                self.parity = parity
                self._read_body(body, functions)
            self.parity = outer
            return
        self._read_calls(node.test)
        if (truth := self.values.truth(node.test)) is not None:
            self._read_body(node.body if truth else node.orelse, functions)
            return
        if not node.orelse:
            self._read_body(node.body, functions)
            return
        before = self._copied_names()
        self._read_body(node.body, functions)
        self._record_new(before)
        self.values.names = before
        self._read_body(node.orelse, functions)

    def _read_for(self, node: ast.For, functions: list[Function]) -> None:
        items = self.values.items(node.iter)
        self._record_expression(node.iter)
        if items is None:
            self.values.forget(node.target)
            self._read_body(node.body, functions)
            return
        for item in items:
            self.values.bind(node.target, item)
            for inner in node.body:
                if self._skips(inner):
                    break
                self._read_statement(inner, functions)

    def _skips(self, node: ast.stmt) -> bool:
        """Whether this is `if …: continue`, and the condition holds."""
        return (
            isinstance(node, ast.If) and isinstance(node.body[0], ast.Continue) and self.values.truth(node.test) is True
        )

    def _value(self, node: ast.expr) -> CodeValue:
        return self.values.value(node)

    def _assign(self, target: ast.expr, value: CodeValue) -> None:
        if isinstance(target, ast.Tuple | ast.List):  # nr, nc = r - 1, c
            self.values.forget(target)
            if isinstance(value, Cells) and value.is_relative:
                self._grow(f".{target.lineno}", value, target)
            return
        old = self.values.stored(target)
        if self.parity != BOTH and isinstance(value, Cells):
            kept = restrict(old, _OTHER[self.parity]) if isinstance(old, Cells) else Cells()
            value = join(restrict(value, self.parity), kept)
        elif self.parity != BOTH and isinstance(value, Number):
            value = value.only(self.parity, old)
        self.values.store(target, value)

    def _add(self, target: ast.expr, value: CodeValue) -> None:
        old = self.values.stored(target)
        if isinstance(value, Cells):
            self._assign_joined(target, old if isinstance(old, Cells) else Cells(), value)

    def _assign_joined(self, target: ast.expr, old: Cells, value: Cells) -> None:
        joined = join(old, restrict(value, self.parity))
        self.values.store(target, replace(joined, line=old.line or value.line or target.lineno, is_cell=False))

    def _grow(self, name: str, value: CodeValue, node: ast.expr) -> None:
        if isinstance(value, Cells):
            self._assign_joined(ast.copy_location(ast.Name(name, ast.Load()), node), self._known(name), value)

    def _known(self, name: str) -> Cells:
        value = self.values.names.get(name)
        return value if isinstance(value, Cells) else Cells()

    def _record_all(self, values: dict[str, CodeValue], *, named: bool = False) -> None:
        """Record the lists in these names; `named` if code elsewhere in the file can use them."""
        scalars = [(name, value) for name, value in values.items() if isinstance(value, Scalars)]
        for (name, first), (_, second) in zip(scalars[::2], scalars[1::2], strict=False):  # two parallel lists
            self._record(first.line, first.zipped(second), name if named else "")
        for name, value in values.items():
            self._record(0, value, name if named else "")

    def _record(self, line: int, value: CodeValue, name: str = "") -> None:
        if isinstance(value, Tables):
            self._record(line, value.by_parity(), name)
            for table in value.tables:
                self._record(line, table, name)
        elif isinstance(value, Cells) and value.are_adjacent() and len(value.even | value.odd) >= _FEWEST:
            self.found += [_Found(value.line or line, name, value)][: _MOST_FOUND - len(self.found)]
