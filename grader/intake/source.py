"""What one Python file of a submission says about itself, by its syntax tree alone."""

import ast
import warnings
from dataclasses import dataclass
from pathlib import Path

MAX_BYTES = 2_000_000
"""A player's source is never larger; what is, is data."""


@dataclass(frozen=True, slots=True)
class ClassShape:
    """A class, as far as its text tells."""

    name: str
    line: int
    bases: tuple[str, ...]
    """The last part of each base's name."""
    has_play: bool
    """It defines a `play` that takes a board."""
    empty_play: bool
    """Its `play` does nothing or only raises."""
    stubs: tuple[str, ...]
    """Its methods that do nothing or only raise."""
    asks_person: bool
    """It calls `input`."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file that could be read."""

    file: Path
    """Relative to the submission's folder."""
    classes: tuple[ClassShape, ...]
    play_function: bool
    """It has a `play(game, player)` outside any class, as in the 2022 edition."""
    imports: tuple[tuple[str, str, int], ...]
    """Each module that it imports, a name taken from it (or an empty text), and the line."""
    relative_imports: bool


@dataclass(frozen=True, slots=True)
class Unreadable:
    """One file that Python cannot read."""

    file: Path
    line: int | None
    reason: str


def read_source(root: Path, file: Path) -> Source | Unreadable:
    """Read one file. Never raises for what a student has written."""
    try:
        data = (root / file).read_bytes()
        if len(data) > MAX_BYTES:
            return Unreadable(file, None, f"it is larger than {MAX_BYTES // 1_000_000} MB")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data, filename=str(file))
    except SyntaxError as error:
        return Unreadable(file, error.lineno, error.msg or "invalid syntax")
    except (ValueError, RecursionError, MemoryError, OSError) as error:
        return Unreadable(file, None, str(error) or type(error).__name__)
    classes = tuple(_shape(node) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node in tree.body)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return Source(
        file=file,
        classes=classes,
        play_function=any(node.name == "play" and _positional(node) == 2 for node in functions),
        imports=tuple(_imports(tree)),
        relative_imports=any(isinstance(node, ast.ImportFrom) and node.level > 0 for node in ast.walk(tree)),
    )


def _shape(node: ast.ClassDef) -> ClassShape:
    methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
    play = methods.get("play")
    takes_board = play is not None and (_positional(play) >= 2 or play.args.vararg is not None)
    return ClassShape(
        name=node.name,
        line=node.lineno,
        bases=tuple(_last_name(base) for base in node.bases),
        has_play=takes_board,
        empty_play=play is not None and _does_nothing(play),
        stubs=tuple(name for name, method in methods.items() if _does_nothing(method)),
        asks_person=any(isinstance(call, ast.Call) and _last_name(call.func) == "input" for call in ast.walk(node)),
    )


def _positional(node: ast.FunctionDef) -> int:
    return len(node.args.posonlyargs) + len(node.args.args)


def _does_nothing(node: ast.FunctionDef) -> bool:
    """Only a docstring, `pass`, `...` or a `raise`."""
    return all(
        isinstance(item, ast.Pass | ast.Raise) or (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))
        for item in node.body
    )


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _imports(tree: ast.Module) -> list[tuple[str, str, int]]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, "", node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found += [(node.module, alias.name, node.lineno) for alias in node.names]
    return found
