"""What a Python file imports and uses of the world outside it, by the names that these have there."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from grader.source.facts import Import, Use
from grader.source.syntax import dotted_parts
from grader.source.use_kinds import KINDS, OPENERS, UseKind

_MAX_DOTS = 6
"""No name worth knowing is longer."""


@lru_cache(maxsize=4096)
def find_kinds(name: str, how: str) -> tuple[UseKind, ...]:
    """The kinds of things to point out to which a use belongs. A file may use one name a hundred thousand times."""
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
    if use.how == "import" and use.name in OPENERS:  # how it is used will tell
        return False
    return any(use.name.startswith(name) if name.endswith(".") else use.is_of(name) for name in kind.names)


def find_uses(nodes: Sequence[ast.AST], imports: Sequence[Import]) -> Iterable[Use]:
    """Everything that a file imports, each use of it, and each of a builtin or a method that may be pointed out."""
    absolute = [taken for taken in imports if taken.level == 0]
    aliases = dict(_aliases(absolute))
    stars = [taken.module for taken in absolute if taken.alias == "*"]
    names = _names(nodes, aliases, stars, set(_bound_names(nodes)))
    found = chain(_imports(absolute), names, _import_calls(nodes))
    return dict.fromkeys(use for use in found if use.how not in ("builtin", "method") or find_kinds(use.name, use.how))


def _imports(absolute: Sequence[Import]) -> Iterator[Use]:
    for taken in absolute:
        whole = taken.module if taken.name in ("", "*") else f"{taken.module}.{taken.name}"
        yield Use(whole, taken.line, "import")


def _aliases(absolute: Sequence[Import]) -> Iterator[tuple[str, str]]:
    """What an imported thing is called here, and what it is."""
    for taken in absolute:
        if taken.name:
            yield taken.alias, f"{taken.module}.{taken.name}"
        elif taken.alias != taken.module:
            yield taken.alias, taken.module
        else:  # `import os.path` gives a name to `os`
            yield (taken.module.partition(".")[0],) * 2


def _bound_names(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Names to which the file gives a meaning of its own, so that they are no builtins."""
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
                whole = ".".join([aliases[first], *rest])
                yield Use(whole, node.lineno, _name_or_reading(whole, id(node) in reading))
            elif id(node) in called:
                yield Use(node.attr, node.lineno, "method")


def _name_or_reading(name: str, is_reading: bool) -> str:
    return "reading" if is_reading and name in OPENERS else "name"


def _is_reading(call: ast.Call) -> bool:
    """Whether a call, if it opens a file, opens it to be read: its mode is left out, or says so."""
    if any(isinstance(argument, ast.Starred) for argument in call.args) or any(not word.arg for word in call.keywords):
        return False
    modes = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "mode")]
    return all(
        isinstance(mode, ast.Constant) and isinstance(mode.value, str) and not set(mode.value) & set("wax+")
        for mode in modes
    )


def _import_calls(nodes: Sequence[ast.AST]) -> Iterator[Use]:
    """`__import__("socket")` is an import too."""
    for node in nodes:
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name, function = node.args[0].value, dotted_parts(node.func, _MAX_DOTS)
            if isinstance(name, str) and function and function[-1] in ("__import__", "import_module"):
                yield Use(name, node.lineno, "import")
