"""Check the options of a player: a mistake in an assignment is reported in one sentence."""

from collections.abc import Sequence
from inspect import signature


def whole_number(option: str, value: object, *, least: int) -> int:
    """A whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{option} is a whole number of at least {least}, not {value!r}")
    return value


def positive_number(option: str, value: object) -> float:
    """A number above zero."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
        raise ValueError(f"{option} is a number above 0, not {value!r}")
    return value


def default_value(player: object, option: str) -> object:
    """The default of an option, as the constructor of a player shows it."""
    return signature(type(player)).parameters[option].default


def refuse_unused(player: object, option: str, value: object, *, because: str) -> None:
    """Raise if an option is not left at its default that means nothing because of another one."""
    if value != default_value(player, option):
        raise ValueError(f"{option} means nothing with {because}: leave it out")


def one_of(option: str, value: object, choices: Sequence[str]) -> str:
    """One of a few words."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{option} is {' or '.join(map(repr, choices))}, not {value!r}")
    return value
