"""The handout of a game (the files that students receive), and the default assignment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.games.base import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Handout:
    """The files that students of a game receive.

    The folder contains `solution.py`, `player.py` and `modules`, the translations of their texts (`es.yaml`), and a
    template of the statement in each language (`en.md.j2`), which includes `course.en.md.j2`.
    """

    folder: Path
    modules: tuple[str, ...] = ()
    """The course's other files, which are available when a player is graded."""
    replacements: Mapping[str, str] = field(default_factory=dict)
    """Texts in the Python files that depend on the options, and what to replace them with."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """Values for the template of the statement, in addition to the options and the assignment."""


def default_assignment(game: "Game") -> str:
    """A simple assignment, as YAML, with the reference players that can play any game."""
    return "\n".join(
        [
            f"title: {game.title!r}",
            f"game: {game.name}",
            "opponents:",
            "  - {player: random, points: 10, games: 4}",
            "  - {player: alphabeta, points: 20, games: 4}",
            "  - {player: mcts, points: 20, games: 4}",
            "",
        ]
    )
