"""What the installed games' courses have handed out, as far as reading a submission needs to know it."""

from collections.abc import Mapping
from functools import cache

from grader.games import installed_games
from grader.games.player_code import HandoutClass, PlayerCode

PLAYER = "Player"
"""The base class, which every course has."""


@cache
def player_codes() -> Mapping[str, PlayerCode]:
    """What the code of a player looks like, for each game."""
    return {name: kind().code() for name, kind in installed_games().items()}


@cache
def handed_out_classes() -> Mapping[str, HandoutClass | None]:
    """The classes that courses hand out, by name; None for the base class, of which any copy will do."""
    return {PLAYER: None, **{one.name: one for code in player_codes().values() for one in code.classes}}


@cache
def course_files() -> frozenset[str]:
    """Names of files in which these classes have been looked for, in whatever folder."""
    return frozenset({"player", PLAYER}.union(*(code.modules for code in player_codes().values())))
