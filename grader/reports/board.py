"""A board for a person at a terminal: as its game draws it, with pieces in colour and the last move marked.

What is a piece, and what the last move changed, is told by comparing drawings, so that this fits every game.
"""

from typing import Any

import click

from grader.games import AnyGame
from grader.language import Message, say

_COLOURS = {"1": "bright_red", "4": "bright_red", "2": "bright_blue", "5": "bright_blue"}
"""By the sign of a piece; 4 and 5 are bombs of Desconecta-4."""


def paint(game: AnyGame, position: Any, before: Any = None, *, colour: bool) -> str:
    """The board, with what changed since the position before marked by colour, or a single new piece by brackets."""
    empty = game.draw(game.start()).splitlines()
    lines = game.draw(position).splitlines()
    earlier = lines if before is None else game.draw(before).splitlines()
    changed = {
        (row, at)
        for row, (line, old) in enumerate(zip(lines, earlier, strict=True))
        for at, (sign, was) in enumerate(zip(line, old, strict=True))
        if sign != was
    }
    if not colour:
        return "\n".join(_bracketed(row, line, changed) for row, line in enumerate(lines))
    return "\n".join(_coloured(row, line, empty[row], changed) for row, line in enumerate(lines))


def heading(game: AnyGame, names: tuple[str, str], *, colour: bool) -> str:
    """Who plays what, in the colours of their pieces."""
    first, second = (f"{side} {name}" for side, name in enumerate(names, start=1))
    if colour:
        first, second = (
            click.style(first, fg=_COLOURS["1"], bold=True),
            click.style(second, fg=_COLOURS["2"], bold=True),
        )
    return f"{game.title}: {first} – {second}"


def legend(game: AnyGame) -> Message:
    """What the signs on the board mean, and what each player is after."""
    return _LEGENDS.get(game.name, say("1 moves first."))


_LEGENDS = {
    "hex": say("1 connects left and right, 2 top and bottom."),
    "desconecta4": say("Who owns four in line loses. 4 and 5 are the bombs of 1 and 2."),
}


def _bracketed(row: int, line: str, changed: set[tuple[int, int]]) -> str:
    line = f" {line} "  # so that there is room at both ends
    if len(changed) == 1 and (row, (at := next(iter(changed))[1])) in changed:
        line = f"{line[:at]}[{line[at + 1]}]{line[at + 3 :]}"
    return line.rstrip()


def _coloured(row: int, line: str, empty: str, changed: set[tuple[int, int]]) -> str:
    signs = [
        click.style(sign, fg=_COLOURS.get(sign) if sign != vacant else None, bold=True, reverse=(row, at) in changed)
        if sign != vacant or (row, at) in changed
        else sign
        for at, (sign, vacant) in enumerate(zip(line, empty, strict=True))
    ]
    return " " + "".join(signs)
