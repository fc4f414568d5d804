"""What a Python file imports and uses: modules, their members, builtins and methods, by their full names."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice

from grader.source.facts import Import, Use
from grader.source.syntax import dotted_parts
from grader.source.use_kinds import KINDS, OPENERS, UseKind

_MAX_DOTS = 6
"""No name that is reported has more."""
_MAX_NAME = 200
"""The longest module name that is kept of a text, as in `__import__("…")`."""
_MAX_STARS = 20
"""The most `from … import *` that are followed: each of them may be meant by every name in the file."""
_MAX_USES = 100_000
"""The most uses that are read from one file: a player has a few hundred."""


@lru_cache(maxsize=4096)
def find_kinds(name: str, how: str) -> tuple[UseKind, ...]:
    """The kinds to which a use belongs. Cached, because a file may use one name a hundred thousand times."""
    return tuple(kind for kind in KINDS if _is_of_kind(Use(name, 0, how), kind))


def _is_of_kind(use: Use, kind: UseKind) -> bool:
    if use.how == "reading":
        return False
    if use.how == "builtin":
        return use.name in kind.builtins
    if use.how == "method":
        return use.name in kind.methods
    if use.how == "import" and any(use.is_of(module) for module in kind.modules):
        return True
    if use.how == "import" and use.name in OPENERS:  # its calls show whether it writes
        return False
    return any(use.name.startswith(name) if name.endswith(".") else use.is_of(name) for name in kind.names)


def find_uses(nodes: Sequence[ast.AST], imports: Sequence[Import]) -> Iterable[Use]:
    """Everything that a file imports, each use of it, and each use of a builtin or method that is reported."""
    absolute = [item for item in imports if item.level == 0]
    aliases = dict(_aliases(absolute))
    stars = list(dict.fromkeys(item.module for item in absolute if item.alias == "*"))[:_MAX_STARS]
    names = _names(nodes, aliases, stars, set(_bound_names(nodes)))
    found = chain(_imports(absolute), names, _import_calls(nodes))
    reported = (use for use in found if use.how not in ("builtin", "method") or find_kinds(use.name, use.how))
    return dict.fromkeys(islice(reported, _MAX_USES))


def _imports(absolute: Sequence[Import]) -> Iterator[Use]:
    for item in absolute:
        name = item.module if item.name in ("", "*") else f"{item.module}.{item.name}"
        yield Use(name, item.line, "import")


def _aliases(absolute: Sequence[Import]) -> Iterator[tuple[str, str]]:
    """The name of each imported thing in this file, and its full name."""
    for item in absolute:
        if item.name:
            yield item.alias, f"{item.module}.{item.name}"
        elif item.alias != item.module:
            yield item.alias, item.module
        else:  # `import os.path` defines the name `os`
            yield (item.module.partition(".")[0],) * 2


def _bound_names(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Names that the file defines itself, so that they do not mean builtins."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def _names(nodes: Sequence[ast.AST], aliases: dict[str, str], stars: list[str], bound: set[str]) -> Iterator[Use]:
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    reading = {id(node.func) for node in nodes if isinstance(node, ast.Call) and _is_reading(node)}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            if node.id in aliases:
                yield Use(aliases[node.id], node.lineno, _name_or_reading(aliases[node.id], id(node) in reading))
            elif node.id not in bound:
                yield Use(node.id, node.lineno, "reading" if node.id == "open" and id(node) in reading else "builtin")
                yield from (Use(f"{star}.{node.id}", node.lineno, "name") for star in stars)
        elif isinstance(node, ast.Attribute):
            first, *rest = dotted_parts(node, _MAX_DOTS) or [""]
            if first in aliases:
                name = ".".join([aliases[first], *rest])
                yield Use(name, node.lineno, _name_or_reading(name, id(node) in reading))
            elif id(node) in called:
                yield Use(node.attr, node.lineno, "method")


def _name_or_reading(name: str, is_reading: bool) -> str:
    return "reading" if is_reading and name in OPENERS else "name"


def _is_reading(call: ast.Call) -> bool:
    """Whether a call that opens a file only reads it: its mode is omitted, or one for reading."""
    if any(isinstance(argument, ast.Starred) for argument in call.args) or any(not word.arg for word in call.keywords):
        return False
    modes = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "mode")]
    return all(
        isinstance(mode, ast.Constant) and isinstance(mode.value, str) and not set(mode.value) & set("wax+")
        for mode in modes
    )


def _import_calls(nodes: Sequence[ast.AST]) -> Iterator[Use]:
    """Calls such as `__import__("socket")`, which are imports too."""
    for node in nodes:
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name, function = node.args[0].value, dotted_parts(node.func, _MAX_DOTS)
            if isinstance(name, str) and function and function[-1] in ("__import__", "import_module"):
                yield Use(_readable(name), node.lineno, "import")


def _readable(name: str) -> str:
    """A text from a student's code that stands for a module's name, short and without unprintable characters."""
    return "".join(letter if letter.isprintable() else "�" for letter in name[:_MAX_NAME])
