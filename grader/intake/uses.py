"""What a Python file imports and uses of the world outside it, by the names that these have there."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from grader.intake.kinds import Kind

_MAX_DOTS = 6
"""No name worth knowing is longer, and one of a million parts is only there to keep a reader busy."""


@dataclass(frozen=True, slots=True)
class Use:
    """One thing that a file imports or uses."""

    name: str
    """Whole: `os.system`, also where it is called by another name here."""
    line: int
    how: str
    """`import`, `name`, `builtin` or `method`."""

    def is_of(self, name: str) -> bool:
        """Whether this is that module or name, or something in it."""
        return self.how in ("import", "name") and (self.name == name or self.name.startswith(f"{name}."))

    def fits(self, kind: Kind) -> bool:
        """Whether this is of a kind that is pointed out."""
        if self.how == "builtin":
            return self.name in kind.builtins
        if self.how == "method":
            return self.name in kind.methods
        if self.how == "import" and any(self.is_of(module) for module in kind.modules):
            return True
        return any(self.name.startswith(name) if name.endswith(".") else self.is_of(name) for name in kind.names)


def uses(module: ast.Module) -> list[Use]:
    """Everything that a file imports, and every use of it, of a builtin, and of a method."""
    imports = list(_imports(module))
    aliases = dict(_aliases(module))
    stars = [name for name, alias in _from_imports(module) if alias == "*"]
    bound = set(_bound(module))
    return [
        *imports,
        *_names(module, aliases, stars, bound),
        *_imported_by_call(module),
    ]


def _imports(module: ast.Module) -> Iterator[Use]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Use(alias.name, node.lineno, "import")
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            for alias in node.names:
                whole = node.module if alias.name == "*" else f"{node.module}.{alias.name}"
                yield Use(whole, node.lineno, "import")


def _from_imports(module: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            for alias in node.names:
                yield node.module, alias.name


def _aliases(module: ast.Module) -> Iterator[tuple[str, str]]:
    """What an imported thing is called here, and what it is."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _bound(module: ast.Module) -> Iterator[str]:
    """Names to which the file gives a meaning of its own, so that they are no builtins."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def _names(module: ast.Module, aliases: dict[str, str], stars: list[str], bound: set[str]) -> Iterator[Use]:
    called = {id(node.func) for node in ast.walk(module) if isinstance(node, ast.Call)}
    for node in ast.walk(module):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            if node.id in aliases:
                yield Use(aliases[node.id], node.lineno, "name")
            elif node.id not in bound:
                yield Use(node.id, node.lineno, "builtin")
                yield from (Use(f"{star}.{node.id}", node.lineno, "name") for star in stars)
        elif isinstance(node, ast.Attribute):
            first, *rest = _dotted(node) or [""]
            if first in aliases:
                yield Use(".".join([aliases[first], *rest]), node.lineno, "name")
            elif id(node) in called:
                yield Use(node.attr, node.lineno, "method")


def _dotted(node: ast.expr) -> list[str]:
    """`a.b.c` as its parts; nothing for what is not just names, or too long to be one."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < _MAX_DOTS:
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else []


def _imported_by_call(module: ast.Module) -> Iterator[Use]:
    """`__import__("socket")` is an import too."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.args[0].value
            if (_dotted(node.func) or [""])[-1] in ("__import__", "import_module") and isinstance(name, str):
                yield Use(name, node.lineno, "import")
