"""Ways to disguise a copied program without changing what it does."""

import ast
import builtins
import random
from collections.abc import Callable

from grader.similarity.symbols import FUNCTIONS, METHODS

FIXED_NAMES = {*FUNCTIONS, *METHODS, *vars(builtins), "self", "play", "player_id"}
"""Names that cannot be changed because other code relies on them."""


class _Renamer(ast.NodeTransformer):
    """Gives every name that the program defines a new one."""

    def __init__(self, imported: set[str]) -> None:
        self.imported = imported
        self.names: dict[str, str] = {}

    def new(self, name: str) -> str:
        if name in FIXED_NAMES or name in self.imported or name.startswith("__"):
            return name
        return self.names.setdefault(name, f"renamed_{len(self.names)}")

    def visit_Name(self, node):
        node.id = self.new(node.id)
        return node

    def visit_arg(self, node):
        node.arg = self.new(node.arg)
        return self.generic_visit(node)

    def visit_keyword(self, node):
        node.arg = node.arg and self.new(node.arg)
        return self.generic_visit(node)

    def visit_Attribute(self, node):
        node.attr = self.new(node.attr)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node):
        node.name = self.new(node.name)
        return self.generic_visit(node)

    visit_ClassDef = visit_FunctionDef  # noqa: N815  the name that `ast` expects


def renamed(source: str) -> str:
    """Change every name that can be changed, and all formatting: no comments, other quotes and brackets."""
    tree = ast.parse(source)
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    return ast.unparse(ast.fix_missing_locations(_Renamer(imported).visit(tree)))


def reordered(source: str) -> str:
    """Reverse the order of the functions in the file and in its classes."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef):
            functions = [item for item in node.body if isinstance(item, ast.FunctionDef)]
            others = [item for item in node.body if not isinstance(item, ast.FunctionDef)]
            node.body = [*others, *reversed(functions)]
    return ast.unparse(tree)


def reformatted(source: str) -> str:
    """Change comments, blank lines, docstrings and indentation, but not the code."""
    lines = []
    for line in ast.unparse(ast.parse(source)).split("\n"):
        indent = len(line) - len(line.lstrip())
        lines += ["", " " * (indent * 2) + line.lstrip() + "  # my own idea"]
        if line.lstrip().startswith("def ") and line.endswith(":"):
            lines.append(" " * (indent * 2 + 8) + '"""This is all mine."""')
    return "\n".join(lines)


def hinted(source: str) -> str:
    """Add a type hint to every parameter and every result."""
    tree = ast.parse(source)
    hint = ast.parse("dict[str, list[tuple[int, ...]]]", mode="eval").body
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = hint
            for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                argument.annotation = hint
    return ast.unparse(ast.fix_missing_locations(tree))


def padded(source: str) -> str:
    """Insert lines that do nothing and functions that are never called."""
    tree = ast.parse(source)
    choose = random.Random(1)
    for node in list(ast.walk(tree)):
        if isinstance(node, ast.FunctionDef | ast.For | ast.While):
            at = choose.randrange(len(node.body) + 1)
            node.body.insert(at, ast.parse("unused = [0 for _ in range(3)]").body[0])
    idle = "\ndef idle_{0}(a, b):\n    while a < b:\n        a += {0}\n    return a if b else None\n"
    return ast.unparse(ast.fix_missing_locations(tree)) + "".join(idle.format(number) for number in range(4))


def all_at_once(source: str) -> str:
    return reformatted(padded(reordered(renamed(source))))


DISGUISES: tuple[Callable[[str], str], ...] = (renamed, reordered, reformatted, hinted, padded, all_at_once)
