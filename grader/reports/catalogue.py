"""`grader list`: the games and the reference players."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from textwrap import fill
from typing import Any

from grader.inspection.reference_catalogue import Reference
from grader.language import Language, verbatim
from grader.reports.table import Column, Report, make_table

WIDTH = 80
"""The width of a usual terminal, in characters."""


def render(games: Mapping[str, type[Any]], players: Sequence[Reference], speak: Language, width: int = WIDTH) -> Report:
    """The table of games, followed by the reference players in lines of this width."""
    game_rows = [
        [name, game.title, ", ".join(f"{field.name}={field.default}" for field in fields(game))]
        for name, game in games.items()
    ]
    heads = [speak.say("name"), speak.say("title"), speak.say("options")]
    table = make_table([Column(head, wraps=True) for head in heads], game_rows)
    return [table, *(_player(player, speak, width) for player in players)]


def _player(player: Reference, speak: Language, width: int) -> str:
    """A reference player in a few lines."""
    options = ", ".join(f"{name}={value}" for name, value in player.options.items())
    lines = [
        f"{player.name} ({', '.join(player.games) or speak.say('your own games')})",
        speak(verbatim(player.summary)),
        speak.say("options: {options}", options=options) if options else "",
        speak.say("source: {source}", source=player.source) if player.source else "",
    ]
    return "\n".join(
        fill(line, width, subsequent_indent="    ", initial_indent="  " * bool(at))
        for at, line in enumerate(lines)
        if line
    )
