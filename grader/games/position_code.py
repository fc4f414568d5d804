"""Python code that rebuilds a position of a recorded game, so that a student can try it at home."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.games.base import Game

_WIDTH = 88
"""The longest line of the code, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionCode:
    """Code that creates the object that a player is given in a position."""

    imports: str
    """The line that imports the course's class."""
    lines: tuple[str, ...]
    """The lines that create the object and make the moves."""
    board: str
    """The variable that holds the object."""


def list_lines(name: str, items: Sequence[str]) -> tuple[str, ...]:
    """The lines that assign a list of these expressions to a variable."""
    whole = f"{name} = [{', '.join(items)}]"
    if len(whole) <= _WIDTH:
        return (whole,)
    joined = ", ".join(item.replace(" ", "\xa0") for item in items) + ","  # no line ends inside an item
    wrapped = fill(joined, _WIDTH, initial_indent="    ", subsequent_indent="    ", break_long_words=False)
    return (f"{name} = [", *wrapped.replace("\xa0", " ").splitlines(), "]")


def state_code(game: "Game", moves: Sequence[Any]) -> PositionCode:
    """The code for a game without a board class of its own: it uses the `State` of the game."""
    kind = type(game)
    module = game.file.removesuffix(".py") or kind.__module__
    options = ", ".join(f"{name}={value!r}" for name, value in game.options().items())
    plain = all(map(_is_literal, moves))
    written = [repr(move) if plain else repr(game.move_text(move)) for move in moves]
    after = "move" if plain else "state.game.parse_move(move)"
    return PositionCode(
        imports=f"from {module} import {kind.__name__}",
        lines=(
            *list_lines("moves", written),
            f"state = {kind.__name__}({options}).state()",
            "for move in moves:",
            f"    state = state.after({after})",
        ),
        board="state",
    )


def _is_literal(move: Any) -> bool:
    """Whether the `repr` of a move is an expression for it that needs no import."""
    try:
        return bool(ast.literal_eval(repr(move)) == move)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
