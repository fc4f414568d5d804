"""The names, games, options and sources of the reference players, read from their files without running them.

A file in `reference_players/` plays the games that its constant `GAMES` names; one in `any_game/` plays every game, using
only its rules. `SECONDS` is roughly how long a move takes on the board of the built-in assignment, `DIFFERENT` at least how
many different games it plays there, as each player, against one that leaves nothing to chance, and `TIMED` names the options
with which its moves depend on the speed of the machine.
"""

import ast
import importlib.util
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from grader.errors import OptionError
from grader.games import Game, installed_games
from grader.language import say

FILLED_IN = ("self", "player_id", "seed", "opening")
"""Parameters of a player that the grader fills in. They are not listed as options, although they can be set."""
ANY_GAME = "any_game"
"""The folder of the players that play every game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One reference player."""

    name: str
    file: Path
    games: tuple[str, ...]
    """The games that it plays; empty if it plays every game."""
    summary: str
    options: dict[str, str]
    """Each option with its default value, as in the source code."""
    source: str
    """The paper that it is based on, and its author."""
    seconds: float
    """Roughly how long a move takes."""
    different: int
    """At least how many different games it plays as each player; 0 if that was not measured."""
    timed: tuple[str, ...] = ()
    """The options with which its moves depend on the speed of the machine."""

    def plays(self, game: Game) -> bool:
        """Whether it plays this game: a player of every game needs the default board."""
        return game.name in self.games if self.games else type(game).board is Game.board


@cache
def reference_players() -> tuple[Reference, ...]:
    """All reference players, ordered by name; those that play every game come last."""
    folder = reference_folder()
    files = [*sorted(folder.glob("*.py")), *sorted((folder / ANY_GAME).glob("*.py"))]
    return tuple(_read_reference(file) for file in files if not file.stem.startswith("_"))


def reference_folder() -> Path:
    """The installed package `reference_players`."""
    spec = importlib.util.find_spec("reference_players")
    if spec is None or not spec.submodule_search_locations:
        raise OptionError(say("the package reference_players is missing; reinstall the grader"))
    return Path(spec.submodule_search_locations[0]).resolve()


def _read_reference(file: Path) -> Reference:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    text = ast.get_docstring(tree) or ""
    source = re.search(r'From "(?P<title>[^"]+)" by (?P<author>[^(.]+)', " ".join(text.split()))
    return Reference(
        name=file.stem,
        file=file,
        games=tuple(_constant(tree, "GAMES", ())),
        summary=_summary(text),
        options=_options(tree),
        source=f"{source['title']}, {source['author'].strip()}" if source else "",
        seconds=float(_constant(tree, "SECONDS", 0.25)),
        different=int(_constant(tree, "DIFFERENT", 0)),
        timed=tuple(_constant(tree, "TIMED", ())),
    )


def _summary(text: str) -> str:
    """The first paragraph, without the title of the game at its beginning."""
    first = " ".join(text.split("\n\n")[0].split())
    for kind in installed_games().values():
        first = first.removeprefix(f"{kind.title}: ")
    return first


def _constant(tree: ast.Module, name: str, default: Any) -> Any:
    """The value of a top-level constant of a file."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == name for to in node.targets):
            return ast.literal_eval(node.value)
    return default


def _options(tree: ast.Module) -> dict[str, str]:
    for cls in tree.body:
        if isinstance(cls, ast.ClassDef) and any(
            isinstance(item, ast.FunctionDef) and item.name == "play" for item in cls.body
        ):
            for item in cls.body:
                if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                    pairs = zip(item.args.kwonlyargs, item.args.kw_defaults, strict=True)
                    return {
                        argument.arg: ast.unparse(default)
                        for argument, default in pairs
                        if default is not None and argument.arg not in FILLED_IN
                    }
    return {}
