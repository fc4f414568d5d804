"""The part of a notebook that a player needs: its definitions, and what these use.

A notebook also plays games, draws boards and prints, which must not happen whenever its player is loaded. So of the statements
outside functions and classes only those are kept that bind or change a name which a class uses, directly or through functions.
Left-out lines become empty, so that all others keep their numbers.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.source.import_time import HARMLESS
from grader.source.notebook import CodeCell
from grader.source.notebook_statements import FUNCTIONS, BrokenCell, Chunk, ParsedCell, is_definition, parse_cell
from grader.source.syntax import dotted_parts, is_main_guard, statements

_QUOTED = 60
"""How much of a line that was left out is quoted."""
_ROOT_FUNCTION = "play"
"""A function outside classes that can be the player itself."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Consecutive lines of a cell that are not used."""

    cell: int
    first: int
    last: int
    text: str
    """The first of them."""


@dataclass(frozen=True, slots=True)
class NotebookCode:
    """The code of a notebook that is used."""

    cells: tuple[CodeCell, ...]
    """Its code cells, in which lines that are not used are empty."""
    left_out: tuple[LeftOut, ...] = ()
    broken: tuple[BrokenCell, ...] = ()

    @property
    def text(self) -> str:
        """All cells, one after the other."""
        return "\n".join(cell.text for cell in self.cells)

    def locate(self, line: int) -> tuple[int, int]:
        """The cell, and the line in it, of a line of the whole text."""
        for cell in self.cells:
            length = cell.text.count("\n") + 1
            if line <= length:
                return cell.number, line
            line -= length
        return (self.cells[-1].number if self.cells else 1), line


def needed_code(cells: Sequence[CodeCell]) -> NotebookCode:
    """The code that the classes and functions in these cells need."""
    parsed = [parse_cell(cell) for cell in cells]
    kept = _needed_chunks([chunk for cell in parsed for chunk in cell.chunks])
    return NotebookCode(
        cells=tuple(CodeCell(cell.number, _text(cell, kept)) for cell in parsed),
        left_out=tuple(part for cell in parsed for part in _left_out(cell, kept)),
        broken=tuple(broken for cell in parsed for broken in cell.broken),
    )


def _needed_chunks(chunks: Sequence[Chunk]) -> set[Chunk]:
    """The chunks that are always used, and those that they need."""
    setters: dict[str, set[str]] = defaultdict(set)
    for chunk in chunks:
        for function, names in chunk.sets.items():
            setters[function] |= names
    binding: dict[str, list[Chunk]] = defaultdict(list)
    defined = {name for chunk in chunks if is_definition(chunk) for name in chunk.binds}
    for chunk in chunks:
        called = chunk.uses & setters.keys() if not is_definition(chunk) else set()
        for name in chunk.binds.union(*(setters[function] for function in called)):
            binding[name].append(chunk)
    kept = {chunk for chunk in chunks if _is_always_used(chunk, defined)}
    needed = {name for chunk in kept for name in (*chunk.uses, *_classes(chunk))} | {_ROOT_FUNCTION}
    pending = list(needed)
    while pending:
        for chunk in binding[pending.pop()]:
            if _is_main(chunk):
                continue
            kept.add(chunk)
            new = (chunk.uses | chunk.later) - needed
            needed |= new
            pending += new
    return kept


def _classes(chunk: Chunk) -> list[str]:
    """The classes that a chunk defines: their methods may be added elsewhere."""
    return [node.name for node in chunk.nodes if isinstance(node, ast.ClassDef)]


def _is_main(chunk: Chunk) -> bool:
    return all(isinstance(node, ast.If) and is_main_guard(node) for node in chunk.nodes)


def _is_always_used(chunk: Chunk, defined: set[str]) -> bool:
    """Whether a chunk is used whether or not anything needs it: definitions, settings, and other names for classes."""
    return not _is_main(chunk) and any(_is_root(node, defined) for node in chunk.nodes)


def _is_root(node: ast.stmt, defined: set[str]) -> bool:
    if isinstance(node, ast.If | ast.Try):
        return any(isinstance(inner, (*FUNCTIONS, ast.ClassDef)) for inner in statements([node]))
    if isinstance(node, ast.ImportFrom):
        return any(alias.name == "*" for alias in node.names)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return ".".join(dotted_parts(node.value.func, most=4)).startswith(HARMLESS)
    if isinstance(node, ast.Assign | ast.AnnAssign):
        return isinstance(node.value, ast.Name) and node.value.id in defined
    return isinstance(node, (*FUNCTIONS, ast.ClassDef))


def _text(cell: ParsedCell, kept: set[Chunk]) -> str:
    lines = [""] * len(cell.lines)
    for chunk in cell.chunks:
        if chunk in kept and not _is_silent(chunk):
            lines[chunk.first - 1 : chunk.last] = cell.lines[chunk.first - 1 : chunk.last]
    return "\n".join(lines)


def _is_silent(chunk: Chunk) -> bool:
    """Whether a chunk does nothing: a text, or a `from __future__ import`, which is only allowed at the top of a file."""
    return all(
        (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.ImportFrom) and node.module == "__future__")
        for node in chunk.nodes
    )


def _left_out(cell: ParsedCell, kept: set[Chunk]) -> Iterator[LeftOut]:
    """The lines of a cell that run something and are not used, in order. Imports and plain values are not mentioned."""
    parts = [(at + 1, at + 1, line) for at, line in cell.magics.items() if line.strip()]
    parts += [
        (chunk.first, chunk.last, cell.lines[chunk.first - 1])
        for chunk in cell.chunks
        if chunk not in kept and not _is_silent(chunk) and not _is_harmless(chunk)
    ]
    found: LeftOut | None = None
    for first, last, line in sorted(parts):
        if found is not None and not any(cell.lines[found.last : first - 1]):
            found = LeftOut(cell.number, found.first, last, found.text)
            continue
        if found is not None:
            yield found
        found = LeftOut(cell.number, first, last, " ".join(line.split())[:_QUOTED])
    if found is not None:
        yield found


def _is_harmless(chunk: Chunk) -> bool:
    """Whether a chunk only imports or assigns, without calling anything."""
    return all(
        isinstance(node, ast.Import | ast.ImportFrom)
        or (
            isinstance(node, ast.Assign | ast.AnnAssign)
            and not any(isinstance(part, ast.Call | ast.Await) for part in ast.walk(node))
        )
        for node in chunk.nodes
    )
