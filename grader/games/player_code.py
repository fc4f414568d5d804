"""Describe what the code of a player of a game looks like, so that it can be recognized without running it."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoutClass:
    """A class that a course hands out, of which a submission may ship a copy."""

    name: str
    members: frozenset[str] = frozenset()
    """All of its methods; nothing if a copy may have others."""
    workings: frozenset[str] = frozenset()
    """Those without which a copy is only a stub."""

    def is_stub(self, methods: Collection[str], unfinished: Collection[str]) -> bool:
        """Whether a copy with these methods, some of them unfinished, was left without its workings."""
        working = set(methods) - set(unfinished)
        if not self.workings:
            return working <= {"__init__"}
        return set(methods) <= self.members and not working >= self.workings


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCode:
    """What tells a player of one game from those of others. The default tells nothing."""

    classes: tuple[HandoutClass, ...] = ()
    modules: tuple[str, ...] = ()
    """Names of the course's files, in whatever folder, that define them or `Player`."""
    files: tuple[str, ...] = ()
    """Of these, the names of files that an instructor may leave among the submissions."""
    members: frozenset[str] = frozenset()
    """What only players of this game use of their board; `board[]` is an index into `board`."""
    parameters: frozenset[str] = frozenset()
    """What only players of this game call the parameter of `play`."""
    functions: bool = False
    """Whether a function `play(game, player)` outside any class plays this game."""
