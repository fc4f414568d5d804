"""What one Python file of a submission says about itself, by its syntax tree alone."""

import ast
import hashlib
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.language import say

MAX_BYTES = 2_000_000
"""A player's source is never larger; what is, is data."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_A_MOVE = ("move", "action", "cell", "pos", "movimiento", "jugada", "accion", "celda", "casilla", "row", "fila")
_A_CELL = (["x", "y"], ["i", "j"], ["r", "c"])
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Import:
    """One name that a file takes from elsewhere."""

    module: str
    level: int
    """The dots before it: 0 for an absolute import."""
    name: str
    """What is taken from the module, `*` for all; empty if it is the module itself."""
    alias: str
    """What it is called here."""
    line: int
    optional: bool
    """It stands inside a `try`, so the file does without if it has to."""


@dataclass(frozen=True, slots=True)
class ClassShape:
    """A class, as far as its text tells."""

    name: str
    """Dotted, if it stands inside another class."""
    line: int
    bases: tuple[str, ...]
    """As written: `Player`, or `base.Player`."""
    play_line: int | None
    """Where it defines `play`, if it does."""
    play_takes: tuple[str, ...]
    """The parameters of that `play`, without `self`."""
    takes_board: bool
    """That `play` has a parameter for a board, and not one for a move."""
    empty_play: bool
    """That `play` is abstract, does nothing, or only raises."""
    methods: tuple[str, ...]
    stubs: tuple[str, ...]
    """Its methods that do nothing or only raise."""
    parameters: tuple[tuple[str, bool], ...]
    """What its own constructor takes, and whether it must be given."""
    asks_person: bool
    """It calls `input`."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file that could be read."""

    file: Path
    """Relative to the submission's folder."""
    digest: str
    classes: tuple[ClassShape, ...]
    play_function: int | None
    """The line of a `play(game, player)` outside any class."""
    aliases: Mapping[str, str]
    """Names that the file gives to other names: `SmartPlayer = MctsPlayer`."""
    imports: tuple[Import, ...]
    calls: tuple[tuple[str, int], ...]
    """What it calls of the modules that it imports, by the full name, and the line."""
    members: frozenset[str]
    """What it uses of anything by a dot: `clone`; with brackets behind what is indexed there: `board[]`."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """One file that Python cannot read."""

    file: Path
    line: int | None
    reason: str
    help: str


def read_source(root: Path, file: Path) -> Source | Unreadable:
    """Read one file. Never raises for what a student has written."""
    data = b""
    try:
        if (root / file).stat().st_size > MAX_BYTES:
            return Unreadable(
                file,
                None,
                say("it is larger than {size} MB", size=MAX_BYTES // 1_000_000),
                say("Keep data in files of data."),
            )
        data = (root / file).read_bytes()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data, filename=str(file))
        return _read(file, data, tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError) as error:
        return _unreadable(file, data, error)


def _read(file: Path, data: bytes, tree: ast.Module) -> Source:
    statements = list(_statements(tree.body))
    imports = tuple(_imports(tree))
    return Source(
        file=file,
        digest=hashlib.sha256(data).hexdigest(),
        classes=tuple(_classes(statements)),
        play_function=next((node.lineno for node in statements if _is_play_function(node)), None),
        aliases=dict(_aliases(statements)),
        imports=imports,
        calls=tuple(_calls(tree, imports)),
        members=frozenset(_members(tree)),
    )


def _unreadable(file: Path, data: bytes, error: Exception) -> Unreadable:
    line = error.lineno if isinstance(error, SyntaxError) else None
    if data.startswith(_UTF16):
        return Unreadable(file, 1, say("it is written in UTF-16"), say("Save the file as UTF-8."))
    if b"\0" in data:
        number = data[: data.index(b"\0")].count(b"\n") + 1
        return Unreadable(file, number, say("it holds a NUL byte"), say("Save the file as plain text, in UTF-8."))
    if "codec can't decode" in str(error) or "codec can't decode" in str(error.__cause__):
        return Unreadable(
            file, _undecodable_line(data), say("its letters are not in UTF-8"), say("Save the file as UTF-8.")
        )
    if isinstance(error, RecursionError | MemoryError):
        return Unreadable(file, None, say("its expressions are nested too deeply"), say("Write it in smaller steps."))
    reason = error.msg if isinstance(error, SyntaxError) else getattr(error, "strerror", None) or str(error)
    help_ = say("Open the file in an editor and mend this line.")
    return Unreadable(file, line, reason or say("invalid syntax"), help_)


def _undecodable_line(data: bytes) -> int | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data[: error.start].count(b"\n") + 1
    return None


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run on import: also those under an `if`, a `try` or a `with`, but not under `__main__`."""
    for node in body:
        yield node
        if isinstance(node, ast.If) and any(_dotted(part) == "__name__" for part in _expressions(node.test)):
            yield from _statements(node.orelse)
        elif not isinstance(node, _Function | ast.ClassDef):
            for part in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(node, part, []))
            for handler in getattr(node, "handlers", []):
                yield from _statements(handler.body)


def _expressions(node: ast.expr) -> Iterator[ast.expr]:
    return (part for part in ast.walk(node) if isinstance(part, ast.expr))


def _is_play_function(node: ast.stmt) -> bool:
    """A function `play(game, player)`, and not a method that was written outside its class."""
    if not isinstance(node, ast.FunctionDef) or node.name != "play" or _room(node) != 2:
        return False
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs][0].arg != "self"


def _classes(statements: Iterable[ast.stmt], outer: str = "") -> Iterator[ClassShape]:
    for node in statements:
        if isinstance(node, ast.ClassDef):
            yield _shape(node, outer + node.name)
            yield from _classes(_statements(node.body), f"{outer}{node.name}.")


def _shape(node: ast.ClassDef, name: str) -> ClassShape:
    methods = {item.name: item for item in _statements(node.body) if isinstance(item, _Function)}
    play = methods.get("play")
    given = next((item for item in _statements(node.body) if "play" in _targets(item)), None)
    takes = tuple(_taken_by(play)) if play else ()
    builder = methods.get("__init__")
    return ClassShape(
        name=name,
        line=node.lineno,
        bases=tuple(filter(None, (_dotted(base) for base in node.bases))),
        play_line=play.lineno if play else given.lineno if given else None,
        play_takes=takes,
        takes_board=_has_room_for_board(play, takes) if play else given is not None,
        empty_play=play is not None and (_does_nothing(play) or "abstractmethod" in _decorators(play)),
        methods=tuple(methods),
        stubs=tuple(method for method, body in methods.items() if _does_nothing(body)),
        parameters=tuple(_parameters(builder)) if builder else (),
        asks_person=any(isinstance(call, ast.Call) and _dotted(call.func) == "input" for call in ast.walk(node)),
    )


def _parameters(node: _Function) -> Iterator[tuple[str, bool]]:
    named = [*node.args.posonlyargs, *node.args.args]
    for at, argument in enumerate(named[1:], 1):
        yield argument.arg, at < len(named) - len(node.args.defaults)
    for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        yield argument.arg, default is None


def _room(node: _Function) -> int:
    """How many arguments a function has room for."""
    arguments = node.args
    endless = 99 if arguments.vararg else 0
    return len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs) + endless


def _taken_by(node: _Function) -> Iterator[str]:
    arguments = [*node.args.posonlyargs, *node.args.args][("staticmethod" not in _decorators(node)) :]
    return (argument.arg for argument in (*arguments, *node.args.kwonlyargs))


def _has_room_for_board(node: _Function, takes: tuple[str, ...]) -> bool:
    """Whether a `play` may be a player's: not one that a board or a node of a search has, which takes a move."""
    if takes and (takes[0].lower() in _A_MOVE or [name.lower() for name in takes[:2]] in _A_CELL):
        return False
    return _room(node) > ("staticmethod" not in _decorators(node))


def _members(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            yield f"{node.value.attr}[]"


def _does_nothing(node: _Function) -> bool:
    """Only a docstring, `pass`, `...`, `return None` or a `raise`."""
    return all(
        isinstance(item, ast.Pass | ast.Raise)
        or (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))
        or (isinstance(item, ast.Return) and _is_none(item.value))
        for item in node.body
    )


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _decorators(node: _Function) -> list[str]:
    return [_dotted(decorator).rpartition(".")[2] for decorator in node.decorator_list]


def _targets(node: ast.stmt) -> list[str]:
    """The names that a statement assigns to."""
    if isinstance(node, ast.Assign):
        return [_dotted(target) for target in node.targets]
    return [_dotted(node.target)] if isinstance(node, ast.AnnAssign) and node.value is not None else []


def _aliases(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
    for node in statements:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in filter(None, _targets(node)):
                yield target, _dotted(node.value)


def _dotted(node: ast.expr) -> str:
    """`a.b` as a text; empty for anything that is not just names."""
    if isinstance(node, ast.Subscript):  # Generic[T]
        return _dotted(node.value)
    if isinstance(node, ast.Attribute):
        inner = _dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return node.id if isinstance(node, ast.Name) else ""


def _imports(tree: ast.Module) -> Iterator[Import]:
    tried = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Try) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                called = alias.asname or alias.name
                yield Import(alias.name, 0, "", called, node.lineno, id(node) in tried)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                called = alias.asname or alias.name
                yield Import(node.module or "", node.level, alias.name, called, node.lineno, id(node) in tried)


def _calls(tree: ast.Module, imports: Iterable[Import]) -> Iterator[tuple[str, int]]:
    known = {taken.alias: f"{taken.module}.{taken.name}".strip(".") for taken in imports if taken.level == 0}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (called := _dotted(node.func)):
            # `import a.b` binds a dotted name, and `from a import b` a plain one: the longest that is known counts.
            parts = called.split(".")
            for end in range(len(parts), 0, -1):
                if (taken := known.get(".".join(parts[:end]))) is not None:
                    yield ".".join([taken, *parts[end:]]), node.lineno
                    break
