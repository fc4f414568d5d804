"""The modules and classes that a course hands out, as a player's process offers them to a submission.

A game's room replaces it where courses have handed out more than the base class: a board under several names, a whole
earlier edition. It runs inside the player's process.
"""

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from grader.games.state import State
from grader.language import say
from grader.player import Player

if TYPE_CHECKING:
    from grader.games.base import Game

Ask = Callable[[Any], Any]
"""The object that a player is given → whatever it answers."""


class Interface:
    """The modules of a course. The default offers `Player`, and the file of the game if it is a course's own."""

    def __init__(
        self,
        classes: Mapping[str, Any],
        modules: tuple[str, ...] = ("player", "Player"),
        own: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self.classes = {"Player": Player, **classes}
        """By name: every one of the modules holds all of them."""
        self._own = dict(own or {})
        self.modules = (*modules, *self._own)
        """The names under which the course's classes can be imported."""

    @classmethod
    def of(cls, game: "Game") -> "Interface":
        """The default for a game."""
        if game.source is None:
            return cls({})
        return cls({}, own={game.file.removesuffix(".py"): vars(sys.modules[type(game).__module__])})

    def contents(self, module: str) -> Mapping[str, Any]:
        """What a module of the course holds."""
        return self._own.get(module, self.classes)

    def prepare(self, game: "Game", *, extended: bool) -> None:
        """Fit the classes in this process to the game's options and, if `extended`, to what some editions added."""

    def function(self, play: Callable[..., Any], player_id: int) -> Ask | None:  # noqa: ARG002  see below
        """How to ask a function outside any class for moves; None if players of this game are always classes."""
        return None

    def advice(self, kind: str, member: str) -> str | None:
        """What to do if a player asks an object of one of these classes for a member that it does not have.

        None if the object is not the course's.
        """
        if kind not in (*self.classes, State.__name__):
            return None
        return say(
            "The course's {kind} has no {name}: use the members that the assignment lists.",
            kind=kind,
            name=repr(member),
        )
