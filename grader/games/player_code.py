"""Describe what a player's code for a game looks like, so that the game can be detected without running the code."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoutClass:
    """A class from the course's handout, of which a submission may include a copy."""

    name: str
    members: frozenset[str] = frozenset()
    """All of its methods; empty if a copy may have others."""
    required: frozenset[str] = frozenset()
    """The methods that a copy must implement; without them it is only a stub."""

    def is_stub(self, methods: Collection[str], unfinished: Collection[str]) -> bool:
        """Whether a copy with these methods, some of them unfinished, is only a stub."""
        working = set(methods) - set(unfinished)
        if not self.required:
            return working <= {"__init__"}
        return set(methods) <= self.members and not working >= self.required


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCode:
    """What distinguishes the code of this game's players from that of others. By default, nothing."""

    classes: tuple[HandoutClass, ...] = ()
    modules: tuple[str, ...] = ()
    """Names of the course's modules, in any folder, that define these classes or `Player`."""
    files: tuple[str, ...] = ()
    """File names of those that an instructor may have left among the submissions."""
    members: frozenset[str] = frozenset()
    """Members of the board that only players of this game use; `board[]` is an index into `board`."""
    parameters: frozenset[str] = frozenset()
    """Names that only players of this game give to the parameter of `play`."""
    functions: bool = False
    """Whether a module-level function `play(game, player)` is a player of this game."""
