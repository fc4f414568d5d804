"""The course's modules and classes that a submission can import in a player's process.

A game overrides the default where courses have handed out more than the base class, e.g. a board under several names
or an earlier edition. This code runs in the player's process.
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
"""Takes the board that a player is given, and returns whatever the player returns."""


class Interface:
    """The modules of a course: by default `Player`, and the game's own file if it is a course's game."""

    def __init__(
        self,
        classes: Mapping[str, Any],
        modules: tuple[str, ...] = ("player", "Player"),
        own: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self.classes = {"Player": Player, **classes}
        """By name. Each of the modules contains all of them."""
        self._own = dict(own or {})
        self.modules = (*modules, *self._own)
        """The names of the modules from which the course's classes can be imported."""
        self.extensions = frozenset[tuple[str, str]]()
        """The members that `prepare` adds if the board is `extended`, each with its class."""

    @classmethod
    def of(cls, game: "Game") -> "Interface":
        """The default interface of a game."""
        if game.source is None:
            return cls({})
        return cls({}, own={game.file.removesuffix(".py"): vars(sys.modules[type(game).__module__])})

    def contents(self, module: str) -> Mapping[str, Any]:
        """The names that a module of the course defines."""
        return self._own.get(module, self.classes)

    def prepare(self, game: "Game", *, extended: bool) -> None:
        """Adapt the classes in this process to the game's options and, if `extended`, add members of other editions."""

    def function(self, play: Callable[..., Any], player_id: int) -> Ask | None:  # noqa: ARG002  see below
        """How to ask a module-level function for moves; None if players of this game are always classes."""
        return None

    def module_advice(self, module: str, name: str) -> str | None:
        """What to do when a player imports a name that a course's module does not have; None for any other module."""
        if module not in self.modules:
            return None
        return say(
            "The course's module {module} has no {name}, only {names}: use these, or include the file that defines it.",
            module=module,
            name=repr(name),
            names=", ".join(name for name in self.contents(module) if not name.startswith("_")),
        )

    def advice(self, kind: str, member: str) -> str | None:
        """What to do when a player uses a member that a course's class does not have; None for any other class."""
        if kind not in (*self.classes, State.__name__):
            return None
        return say(
            "{kind} has no {name}: use only the members that the assignment lists.",
            kind=kind,
            name=repr(member),
        )
