"""The games and the reference players, a line each."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from tabulate import tabulate

from grader.intake.catalogue import Reference


def render(games: Mapping[str, type[Any]], players: Sequence[Reference]) -> str:
    """What can be graded, and by whom."""
    game_rows = [
        [name, game.title, ", ".join(f"{field.name}={field.default}" for field in fields(game))]
        for name, game in games.items()
    ]
    player_rows = [
        [
            player.name,
            " ".join(player.games),
            ", ".join(f"{name}={value}" for name, value in player.options.items()),
            player.summary,
            player.source,
        ]
        for player in players
    ]
    return (
        tabulate(game_rows, ["game", "", "options"], tablefmt="plain")
        + "\n\n"
        + tabulate(player_rows, ["player", "game", "options", "what it does", "from"], tablefmt="plain")
    )
