"""An autograder for courses in which students write game-playing agents.

`Game`, `Outcome`, `State` and `Player` are what a course's own game and its players are written with.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.games import Game, State
    from grader.player import Player
    from grader.records import Outcome

__version__ = "0.1.0"
__all__ = ["Game", "Outcome", "Player", "State", "__version__"]

_WHERE = {"Game": "grader.games", "State": "grader.games", "Player": "grader.player", "Outcome": "grader.records"}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is: every player's process imports this module."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    from importlib import import_module

    return getattr(import_module(_WHERE[name]), name)
