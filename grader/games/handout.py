"""The hand-out of a game: the files that students are given; and the default assignment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.games.base import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Handout:
    """The files for students in the room of a game.

    The folder holds `solution.py`, `player.py` and `modules`, the words of these in other languages (`es.yaml`), and the
    statement in each language (`en.md.j2`), a template that includes `course.en.md.j2`.
    """

    folder: Path
    modules: tuple[str, ...] = ()
    """The course's other files, which are there when a player is graded."""
    replacements: Mapping[str, str] = field(default_factory=dict)
    """What stands in the Python files for the default options, and what these options make of it."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """What fills the statement, beside the options and the assignment."""


def default_assignment(game: "Game") -> str:
    """A plain assignment, as YAML, against the opponents that can play any game."""
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
