"""Read the Python files of submissions: each is parsed once per run, and never imported."""

import ast
import hashlib
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import cast

from grader.language import say
from grader.source.classes import class_shapes, has_play, is_play_function
from grader.source.code_digest import code_digest
from grader.source.encoding import declared_encoding, is_allowed
from grader.source.facts import ConstantCall, Import, Source, Unreadable
from grader.source.import_time import import_time_work
from grader.source.notebook import MAX_NOTEBOOK, NOTEBOOK, code_cells
from grader.source.notebook_code import needed_code
from grader.source.randomness import draws_numbers, may_differ
from grader.source.scopes import find_scopes
from grader.source.steps import find_steps
from grader.source.syntax import assigned_names, dotted_name, statements
from grader.source.uses import find_uses

MAX_BYTES = 2_000_000
"""Larger files are data, not a player's source code."""
MAX_REMEMBERED = 20_000_000
"""The total size in bytes of the files whose facts are cached: more than a large class submits."""
_MAX_PATH = 4096
"""The longest string that can be a file path."""
_MAX_ARGUMENTS, _MAX_CALLS = 6, 10_000
"""Calls with more arguments than a move needs, and more calls than a player has, are not kept."""
_MAX_NUMBER = 1 << 32
"""Larger numbers cannot be part of a move, and the largest cannot even be written as text."""
_MOVE_DATA = say("Move the data into separate data files.")
_CLEAR_OUTPUTS = say("Clear the outputs of all its cells, save it, and submit it again.")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_source(root: Path, file: Path) -> Source | Unreadable:
    """Read one file. Never raises because of what a student has written."""
    most = max_bytes(file)
    try:
        if (root / file).stat().st_size > most:
            reason = say("it is larger than {size} MB", size=most // 1_000_000)
            return Unreadable(file, None, reason, _CLEAR_OUTPUTS if is_notebook(file) else _MOVE_DATA)
        data = (root / file).read_bytes()
    except (ValueError, OSError) as error:
        return _explain(file, b"", error)
    return parse_source(file, data)


def max_bytes(file: Path) -> int:
    """The largest size of a file with code."""
    return MAX_NOTEBOOK if is_notebook(file) else MAX_BYTES


def is_notebook(file: Path) -> bool:
    """Whether a file is a notebook, by its name."""
    return file.suffix.lower() == NOTEBOOK


def parse_source(file: Path, data: bytes) -> Source | Unreadable:
    """What a file with this content defines and uses. Copies of a file are parsed only once."""
    return replace(_CACHE.facts(data, notebook=is_notebook(file)), file=file)


class _Cache:
    """The facts of the files read most recently, by the digest of their content. Syntax trees are not kept."""

    def __init__(self) -> None:
        self._facts: OrderedDict[str, tuple[Source | Unreadable, int]] = OrderedDict()
        self._bytes = 0

    def facts(self, data: bytes, *, notebook: bool) -> Source | Unreadable:
        digest = hashlib.sha256(NOTEBOOK.encode() + data if notebook else data).hexdigest()
        if digest in self._facts:
            self._facts.move_to_end(digest)
            return self._facts[digest][0]
        facts = _parse_notebook(data, digest) if notebook else _parse(data, digest)
        self._facts[digest] = facts, len(data)
        self._bytes += len(data)
        while self._bytes > MAX_REMEMBERED:
            self._bytes -= self._facts.popitem(last=False)[1][1]
        return facts


_CACHE = _Cache()


def _parse(data: bytes, digest: str) -> Source | Unreadable:
    encoding = declared_encoding(data)
    if encoding is not None and not is_allowed(encoding):
        reason = say("it declares the encoding {encoding}, which is not accepted", encoding=encoding[:60])
        return Unreadable(Path(), None, reason, say("Save the file as UTF-8, and remove the declaration."))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _facts(ast.parse(data), digest)
    except (SyntaxError, ValueError, RecursionError, MemoryError, LookupError) as error:
        return _explain(Path(), data, error)


def _parse_notebook(data: bytes, digest: str) -> Source | Unreadable:
    try:
        cells = code_cells(data)
    except (ValueError, RecursionError, MemoryError):
        reason = say("it is not a valid notebook")
        return Unreadable(Path(), None, reason, say("Open it in Jupyter, save it again, and submit it."))
    if sum(len(cell.text) for cell in cells) > MAX_BYTES:
        reason = say("its code is larger than {size} MB", size=MAX_BYTES // 1_000_000)
        return Unreadable(Path(), None, reason, _MOVE_DATA)
    try:
        code = needed_code(cells)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return replace(_facts(ast.parse(code.text), digest), notebook=code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return _explain(Path(), b"", error)


def _facts(module: ast.Module, digest: str) -> Source:
    body = list(statements(module.body))
    nodes = list(ast.walk(module))
    imports = tuple(_imports(nodes))
    return Source(
        file=Path(),
        digest=digest,
        code=code_digest(module),
        classes=tuple(class_shapes(body, _input_lines(nodes))),
        play_function=next((node.lineno for node in body if is_play_function(node)), None),
        has_play=has_play(module),
        aliases=dict(_aliases(body)),
        imports=imports,
        members=frozenset(_members(nodes)),
        texts=frozenset(_texts(nodes)),
        uses=tuple(find_uses(nodes, imports)),
        scopes=tuple(find_scopes(module)),
        steps=tuple(find_steps(module)),
        constant_calls=tuple(_constant_calls(nodes)),
        import_time=tuple(import_time_work(module)),
        draws_numbers=draws_numbers(nodes),
        may_differ=may_differ(nodes),
    )


def _explain(file: Path, data: bytes, error: Exception) -> Unreadable:
    if data.startswith(_UTF16):
        return Unreadable(file, 1, say("it is written in UTF-16"), say("Save the file as UTF-8."))
    if b"\0" in data:
        number = data[: data.index(b"\0")].count(b"\n") + 1
        return Unreadable(file, number, say("it contains a NUL byte"), say("Save the file as plain text, in UTF-8."))
    if "codec can't decode" in str(error) or "codec can't decode" in str(error.__cause__):
        return Unreadable(file, _undecodable_line(data), say("it is not in UTF-8"), say("Save the file as UTF-8."))
    if isinstance(error, MemoryError):  # Python's parser raises this for both
        problem = say("it is too large, or its expressions are nested too deeply")
        return Unreadable(file, None, problem, say("Split them into smaller steps, and move data into data files."))
    if isinstance(error, RecursionError):
        return Unreadable(
            file, None, say("its expressions are nested too deeply"), say("Split them into smaller steps.")
        )
    if isinstance(error, SyntaxError):
        help_ = say("Fix this line.") if error.lineno else say("Check that this is a Python file.")
        return Unreadable(file, error.lineno, error.msg or say("invalid syntax"), help_, is_syntax_error=True)
    reason = getattr(error, "strerror", None) or str(error)
    return Unreadable(file, None, reason, say("Check that the file can be opened."))


def _undecodable_line(data: bytes) -> int | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data[: error.start].count(b"\n") + 1
    return None


def _aliases(body: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
    for node in body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in filter(None, assigned_names(node)):
                yield target, dotted_name(node.value)


def _members(nodes: Sequence[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            yield f"{node.value.attr}[]"


def _texts(nodes: Sequence[ast.AST]) -> Iterator[str]:
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        text = node.value if isinstance(node, ast.Constant) and id(node) not in docstrings else None
        if isinstance(text, str) and len(text) <= _MAX_PATH:
            yield text


def _input_lines(nodes: Sequence[ast.AST]) -> list[int]:
    """The lines on which `input` is called, in ascending order."""
    return sorted(node.lineno for node in nodes if isinstance(node, ast.Call) and dotted_name(node.func) == "input")


def _constant_calls(nodes: Sequence[ast.AST]) -> Iterator[ConstantCall]:
    calls = (node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
    for call in islice((call for call in calls if len(call.args) <= _MAX_ARGUMENTS), _MAX_CALLS):
        numbers = [node.value if isinstance(node, ast.Constant) else None for node in call.args]
        arguments = tuple(number if type(number) is int and number <= _MAX_NUMBER else None for number in numbers)
        if any(number is not None for number in arguments):
            yield ConstantCall(cast("ast.Attribute", call.func).attr, call.lineno, arguments)


def _inside_try(nodes: Sequence[ast.AST]) -> set[int]:
    """The ids of the nodes inside a `try`. Each node is visited once, however deeply the `try` statements are nested."""
    seen: set[int] = set()
    pending: list[ast.AST] = [node for node in nodes if isinstance(node, ast.Try)]
    while pending:
        node = pending.pop()
        if id(node) not in seen:
            seen.add(id(node))
            pending += ast.iter_child_nodes(node)
    return seen


def _imports(nodes: Sequence[ast.AST]) -> Iterator[Import]:
    in_try = _inside_try(nodes)
    for node in nodes:
        if isinstance(node, ast.Import):
            items = [(alias.name, 0, "", alias) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            items = [(node.module or "", node.level, alias.name, alias) for alias in node.names]
        else:
            continue
        for module, level, name, alias in items:
            yield Import(module, level, name, alias.asname or alias.name, node.lineno, id(node) in in_try)
