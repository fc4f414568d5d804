"""A board for the terminal: as its game draws it, with coloured pieces and the last move marked.

Pieces and the last move are found by comparing drawings, so this works for every game.
"""

from collections.abc import Sequence
from typing import Any

import click

from grader.games import Game
from grader.intake.names import printable
from grader.language import Language, Message, say

_COLOURS = ("bright_red", "bright_blue")
"""The colours of the first and of the second player."""


CROSS, _CROSS_COLOUR = "✗", "bright_red"
"""The mark of a refused move."""


def paint(game: Game, position: Any, before: Any = None, *, cross: tuple[int, int] | None = None, colour: bool) -> str:
    """The board, with the changes since `before` marked by colour or, without colour, a single new piece by brackets.

    `cross` is the line and character where a refused move is marked.
    """
    lines = game.draw(position).splitlines()
    earlier = lines if before is None or cross is not None else game.draw(before).splitlines()
    if not _same_shape(lines, earlier):  # then characters cannot be compared one by one
        earlier = lines
    changed = {
        (row, at)
        for row, (line, old) in enumerate(zip(lines, earlier, strict=True))
        for at, (sign, old_sign) in enumerate(zip(line, old, strict=True))
        if sign != old_sign
    }
    if cross is not None and cross[0] < len(lines):
        row, at = cross
        lines[row] = f"{lines[row][:at]}{CROSS}{lines[row][at + 1 :]}"
        changed = {cross}
    if not colour:
        return "\n".join(_bracket_change(row, line, changed) for row, line in enumerate(lines))
    empty = game.draw(game.start()).splitlines()
    vacant = empty if _same_shape(lines, empty) else [" " * len(line) for line in lines]
    return "\n".join(_colour_line(game, row, line, vacant[row], changed) for row, line in enumerate(lines))


def _same_shape(lines: Sequence[str], others: Sequence[str]) -> bool:
    return [len(line) for line in lines] == [len(line) for line in others]


def heading(game: Game, names: tuple[str, str], speak: Language, *, colour: bool) -> str:
    """The game and its players, in the colours of their pieces."""
    first, second = (speak(player_label(name, side)) for side, name in enumerate(names))
    if colour:
        first, second = (
            click.style(first, fg=_COLOURS[0], bold=True),
            click.style(second, fg=_COLOURS[1], bold=True),
        )
    return speak.say("{game}: {first} vs {second}", game=game.title, first=first, second=second)


def player_label(name: str, side: int) -> Message:
    """A player's name and number, e.g. `ana (player 1)`."""
    return say("{name} (player {number})", name=printable(name), number=side + 1)


def _bracket_change(row: int, line: str, changed: set[tuple[int, int]]) -> str:
    line = f" {line} "  # makes room for a bracket at both ends
    if len(changed) == 1 and (row, (at := next(iter(changed))[1])) in changed:
        line = f"{line[:at]}[{line[at + 1]}]{line[at + 3 :]}"
    return line.rstrip()


def _colour_line(game: Game, row: int, line: str, empty: str, changed: set[tuple[int, int]]) -> str:
    signs = [
        click.style(sign, fg=_colour(game, sign) if sign != vacant else None, bold=True, reverse=(row, at) in changed)
        if sign not in (vacant, " ") or (row, at) in changed
        else sign
        for at, (sign, vacant) in enumerate(zip(line, empty, strict=True))
    ]
    return " " + "".join(signs)


def _colour(game: Game, sign: str) -> str | None:
    if sign == CROSS:
        return _CROSS_COLOUR
    return next((colour for own, colour in zip(game.signs, _COLOURS, strict=True) if sign in own), None)
