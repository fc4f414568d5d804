"""The classes and files in the handouts of the installed games, to recognise them in submissions."""

from collections.abc import Mapping
from functools import cache

from grader.games import installed_games
from grader.games.player_code import HandoutClass, PlayerCode

PLAYER = "Player"
"""The base class in every course's handout."""


@cache
def player_codes() -> Mapping[str, PlayerCode]:
    """How players of each game are written, by the name of the game."""
    return {name: kind().code() for name, kind in installed_games().items()}


@cache
def handout_classes() -> Mapping[str, HandoutClass | None]:
    """The classes in handouts, by name; None for the base class, of which any copy is accepted."""
    return {PLAYER: None, **{each.name: each for code in player_codes().values() for each in code.classes}}


@cache
def course_files() -> frozenset[str]:
    """The names of the modules from which submissions import these classes."""
    return frozenset({"player", PLAYER}.union(*(code.modules for code in player_codes().values())))
