"""The default handout, for games that have none: a working player, and a statement based on the game's docstrings."""

import ast
from pathlib import Path

from grader.games import Game
from grader.games.handout import Handout


def plain_handout(game: Game, folder: Path) -> Handout:
    """The files in `folder`, adapted to a game."""
    kind = type(game)
    module = game.file.removesuffix(".py") or kind.__module__
    options = ", ".join(f"{name}={value!r}" for name, value in game.options().items())
    state = game.state()
    moves = state.moves()
    return Handout(
        folder=folder,
        replacements={
            "from the_game import TheGame": f"from {module} import {kind.__name__}",
            "TheGame()": f"{kind.__name__}({options})",
            "TheTitle": game.title,
        },
        values={
            "game_title": game.title,
            "rules": _rules(game),
            "options": game.options(),
            "start": str(state),
            "moves": ", ".join(map(repr, moves[:12])) + (", …" if len(moves) > 12 else ""),
            "module": game.file or f"{module}.py",
            "draws": True,
            "own": bool(game.source),
        },
    )


def _rules(game: Game) -> str:
    """The docstrings of the game's file and of its class."""
    if game.source is None:
        return type(game).__doc__ or ""
    tree = ast.parse(game.source)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == type(game).__name__]
    found = [ast.get_docstring(tree), *map(ast.get_docstring, classes)]
    return "\n\n".join(text for text in found if text)
