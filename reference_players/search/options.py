"""Check the options of a reference player, and report a mistake in one sentence."""

from inspect import signature

STYLES = ("fixed", "documented")
"""How closely a player follows its document: with its mistakes fixed, or as documented."""
_OLD_STYLES = {"mended": "fixed"}
"""Former names of styles, which assignments may still use."""


def whole_number(option: str, value: object, *, least: int) -> int:
    """A whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{option} must be a whole number of at least {least}, not {value!r}")
    return value


def positive_number(option: str, value: object) -> float:
    """A number greater than 0."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
        raise ValueError(f"{option} must be a number greater than 0, not {value!r}")
    return value


def style(value: object) -> str:
    """One of `STYLES`."""
    if not isinstance(value, str) or _OLD_STYLES.get(value, value) not in STYLES:
        raise ValueError(f"style must be {' or '.join(map(repr, STYLES))}, not {value!r}")
    return _OLD_STYLES.get(value, value)


def default_value(player: object, option: str) -> object:
    """The default of an option in the constructor of a player."""
    return signature(type(player)).parameters[option].default


def refuse_unused(player: object, option: str, value: object, *, because: str) -> None:
    """Raise if an option was changed that has no effect together with another one."""
    if value != default_value(player, option):
        raise ValueError(f"{option} has no effect with {because}: leave it out")
