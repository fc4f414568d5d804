"""Python code that rebuilds a Desconecta-4 position with the course's `Environment`."""

from collections.abc import Sequence

from grader.games.base import Game
from grader.games.position_code import PositionCode, list_lines


def position_code(_: Game, moves: Sequence[int]) -> PositionCode:
    """The code for the position after these actions."""
    return PositionCode(
        imports="from environment import Environment",
        lines=(
            *list_lines("actions", [str(move) for move in moves]),
            "environment = Environment()",
            "for action in actions:",
            "    environment.apply(action)",
        ),
        board="environment",
    )
