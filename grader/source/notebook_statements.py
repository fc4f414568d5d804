"""The statements of a notebook's cells, and the names that each binds and uses."""

import ast
import symtable
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.source.import_time import BUILDING
from grader.source.notebook import CodeCell
from grader.source.notebook_magics import cell_magic, magic_lines

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class BrokenCell:
    """A cell that is not valid Python, and is left out."""

    cell: int
    line: int | None
    reason: str


@dataclass(eq=False, slots=True)
class Chunk:
    """A statement outside functions and classes, or several on the same lines."""

    first: int
    last: int
    nodes: list[ast.stmt]
    binds: set[str] = field(default_factory=set)
    """The names that it assigns, defines, imports or changes."""
    uses: set[str] = field(default_factory=set)
    """The names that it uses when it runs."""
    later: set[str] = field(default_factory=set)
    """The names that functions in it use when they are called."""
    sets: dict[str, set[str]] = field(default_factory=dict)
    """The global names that each of its functions assigns."""


@dataclass(slots=True)
class ParsedCell:
    """A code cell and its statements."""

    number: int
    lines: list[str]
    """Its lines, with empty ones (in a block: `pass`) instead of magics."""
    magics: dict[int, str] = field(default_factory=dict)
    """The lines that are not Python, by their index."""
    chunks: list[Chunk] = field(default_factory=list)
    broken: list[BrokenCell] = field(default_factory=list)

    def blank(self, at: int) -> None:
        """Leave out a line that is not Python."""
        line = self.lines[at]
        indent = line[: len(line) - len(line.lstrip())]
        is_continued = self.magics.get(at - 1, "").rstrip().endswith("\\")
        self.magics[at] = line
        self.lines[at] = f"{indent}pass" if indent and not is_continued else ""


def parse_cell(cell: CodeCell) -> ParsedCell:
    """The statements of a cell. Never raises `SyntaxError`: what is not valid is listed in `broken`."""
    parsed = ParsedCell(cell.number, cell.text.split("\n"))
    if (magic := cell_magic(parsed.lines)) is not None:
        at, is_python = magic
        if not is_python:
            parsed.magics = dict(enumerate(parsed.lines))
            parsed.lines = [""] * len(parsed.lines)
            return parsed
        parsed.blank(at)
    try:
        module = _tree(parsed.lines)
    except (SyntaxError, ValueError):
        for at in list(magic_lines(parsed.lines)):
            parsed.blank(at)
        try:
            module = _tree(parsed.lines)
        except (SyntaxError, ValueError) as error:
            parsed.broken.append(_broken(cell.number, 0, error))
            return parsed
    for chunk in _chunks(module):
        try:
            _describe(chunk, "\n".join(parsed.lines[chunk.first - 1 : chunk.last]))
        except (SyntaxError, ValueError) as error:
            parsed.broken.append(_broken(cell.number, chunk.first - 1, error))
        else:
            parsed.chunks.append(chunk)
    return parsed


def _tree(lines: list[str]) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse("\n".join(lines))


def _broken(cell: int, before: int, error: Exception) -> BrokenCell:
    """What is wrong with a cell; `before` is the number of lines before those that were parsed."""
    if isinstance(error, SyntaxError):
        return BrokenCell(cell, before + (error.lineno or 1), error.msg)
    return BrokenCell(cell, None, str(error))


def _chunks(module: ast.Module) -> Iterator[Chunk]:
    """The statements of a cell, those on the same lines together."""
    chunk: Chunk | None = None
    for node in module.body:
        first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", []))])
        last = node.end_lineno or node.lineno
        if chunk is not None and first <= chunk.last:
            chunk.nodes.append(node)
            chunk.last = max(chunk.last, last)
            continue
        if chunk is not None:
            yield chunk
        chunk = Chunk(first, last, [node])
    if chunk is not None:
        yield chunk


def _describe(chunk: Chunk, text: str) -> None:
    """Fill in the names of a chunk. Raises `SyntaxError` for what only a compiler notices."""
    table = symtable.symtable(text, "cell", "exec")
    for symbol in table.get_symbols():
        if symbol.is_referenced():
            chunk.uses.add(symbol.get_name())
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
            chunk.binds.add(symbol.get_name())
    for scope in table.get_children():
        inside = list(_scopes(scope))
        names = {symbol.get_name() for each in inside for symbol in each.get_symbols() if symbol.is_global()}
        (chunk.later if scope.get_type() == "function" else chunk.uses).update(names)
        chunk.sets.setdefault(scope.get_name(), set()).update(
            symbol.get_name()
            for each in inside
            for symbol in each.get_symbols()
            if symbol.is_declared_global() and symbol.is_assigned()
        )
    if not is_definition(chunk):
        chunk.uses |= chunk.later  # lambdas and comprehensions
        chunk.binds |= {name for node in chunk.nodes for name in _changed(node)}


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    pending = [table]
    while pending:
        scope = pending.pop()
        yield scope
        pending += scope.get_children()


def is_definition(chunk: Chunk) -> bool:
    """Whether a chunk defines a function or a class."""
    return any(isinstance(node, (*FUNCTIONS, ast.ClassDef)) for node in chunk.nodes)


def _changed(node: ast.stmt) -> Iterator[str]:
    """The names whose values a statement changes: `TABLE[3] = …`, `SmartPlayer.play = …`, `MOVES.append(…)`."""
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript | ast.Attribute) and isinstance(part.ctx, ast.Store):
            yield _base(part)
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and f".{part.func.attr}" in BUILDING:
            yield _base(part.func)


def _base(node: ast.expr) -> str:
    """The name that `name.a[b].c` starts with; empty if it starts with something else."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
