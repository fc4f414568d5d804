"""Write kits to a folder, and import their files as a student's Python would."""

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from grader.assignment import Assignment, builtin_assignment
from grader.games import make_game
from grader.kit import HANDOUT, make_kit


def write_kit(at: Path, assignment: Assignment, language: str = "en") -> Path:
    """Write the kit of an assignment, and return the folder for students."""
    for file in make_kit(assignment, language):
        (at / file.path).parent.mkdir(parents=True, exist_ok=True)
        (at / file.path).write_text(file.text, encoding="utf-8")
    return at / HANDOUT


def changed(game: str, **changes: object) -> Assignment:
    """The built-in assignment of a game with some fields changed."""
    return Assignment.model_validate(
        {**builtin_assignment(game).model_dump(by_alias=True, exclude_none=True), **changes}
    )


@cache
def module(game: str, name: str) -> ModuleType:
    """A module of a game's handout, imported once from the grader's package."""
    handout = make_game(game).handout()
    assert handout is not None
    path = handout.folder / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"kit_{game}_{name}", path)
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = found  # so that its objects can be pickled
    spec.loader.exec_module(found)
    return found
