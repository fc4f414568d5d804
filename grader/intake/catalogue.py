"""What the reference players say of themselves, read from their files without running them."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from grader.intake.players import GIVEN, reference_files


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One reference player."""

    name: str
    games: tuple[str, ...]
    summary: str
    options: dict[str, str]
    """Each option with its default, as they are written."""
    source: str
    """The document that it comes from, and whose."""


def reference_players() -> tuple[Reference, ...]:
    """All of them, in the order of their names."""
    return tuple(_read(name, file) for name, file in reference_files().items())


def _read(name: str, file: Path) -> Reference:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    text = ast.get_docstring(tree) or ""
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    source = re.search(r'From "(?P<title>[^"]+)" by (?P<author>[^(.]+)', " ".join(text.split()))
    return Reference(
        name=name,
        games=tuple(game for kind, game in (("HexBoard", "hex"), ("Environment", "desconecta4")) if kind in imported),
        summary=re.sub(r"^(Hex|Desconecta-4 BOOM): ", "", text.split("\n\n")[0].replace("\n", " ")),
        options=_options(tree),
        source=f"{source['title']}, {source['author'].strip()}" if source else "",
    )


def _options(tree: ast.Module) -> dict[str, str]:
    for cls in tree.body:
        if isinstance(cls, ast.ClassDef) and any(_is(item, "play") for item in cls.body):
            for item in cls.body:
                if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                    pairs = zip(item.args.kwonlyargs, item.args.kw_defaults, strict=True)
                    return {
                        argument.arg: ast.unparse(default)
                        for argument, default in pairs
                        if default is not None and argument.arg not in GIVEN
                    }
    return {}


def _is(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == name
