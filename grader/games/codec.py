"""Convert plain values to JSON and text and back: the default format of a game's moves and positions.

A plain value is None, a bool, an int, a float, a string, or a tuple, frozenset, named tuple, enum member or frozen
dataclass made of plain values. Classes are looked up by name in the module of the game, so that input can create
instances of these classes only.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum, Flag
from typing import Any

Classes = Mapping[str, Any]
"""The names of the module in which a game's classes are defined."""

_CLASS, _VALUES = "class", "values"
_SET = "frozenset"
_WORD = re.compile(r"[^\W\d][\w+*/-]*")
_NUMBER = re.compile(r"-?\d{1,4000}(\.\d+)?(e[+-]?\d{1,3})?")
_NAMES = {"None": None, "True": True, "False": False}
_DEEPEST = 20


class NotPlain(ValueError):
    """A value of a type that has no default format; `args[0]` is that value."""


def to_json(value: Any) -> Any:
    """A plain value as data for `json`. Raises `NotPlain` for any other value."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) is tuple:
        return [to_json(part) for part in value]
    if type(value) is frozenset:
        return {_CLASS: _SET, _VALUES: sorted(map(to_json, value), key=repr)}
    return {_CLASS: type(value).__qualname__, _VALUES: [to_json(part) for part in _parts(value)]}


def from_json(data: Any, classes: Classes, depth: int = 0) -> Any:
    """The value that `to_json` wrote. Raises `ValueError` for anything else."""
    if depth > _DEEPEST:
        raise ValueError("it is nested too deeply")
    if data is None or type(data) in (bool, int, float, str):
        return data
    if isinstance(data, list):
        return tuple(from_json(part, classes, depth + 1) for part in data)
    if isinstance(data, dict) and data.keys() == {_CLASS, _VALUES} and isinstance(data[_VALUES], list):
        return _build(data[_CLASS], [from_json(part, classes, depth + 1) for part in data[_VALUES]], classes)
    raise ValueError(f"{data!r} is not a plain value")


def to_text(value: Any) -> str:
    """A plain value as text that a person can type, without spaces: `3`, `2,5`, `e2e4`, `Drop(3)`."""
    if type(value) is tuple and value:
        return ",".join(map(_format_part, value)) + ("," if len(value) == 1 else "")
    return _format_part(value)


def from_text(text: str, classes: Classes) -> Any:
    """The value that `to_text` wrote. Raises `ValueError` for anything else."""
    reader = _Reader(text.strip(), classes)
    value = reader.read_whole()
    if reader.rest:
        raise ValueError(f"unexpected text after the value: {reader.rest!r}")
    return value


def _format_part(value: Any) -> str:
    if type(value) is str:
        bare = _WORD.fullmatch(value) and value not in _NAMES
        return value if bare else json.dumps(value).replace(" ", "\\u0020")
    if value is None or type(value) in (bool, int, float):
        return repr(value)
    if type(value) is tuple:
        return f"({to_text(value)})" if value else "()"
    if type(value) is frozenset:
        return f"{_SET}({','.join(sorted(map(_format_part, value)))})"
    return f"{type(value).__qualname__}({','.join(map(_format_part, _parts(value)))})"


def _parts(value: Any) -> Iterable[Any]:
    """The arguments from which the class of a value can build it again."""
    if isinstance(value, Enum):
        return (value.value if isinstance(value, Flag) else value.name,)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return value
    if is_dataclass(value) and not isinstance(value, type) and value.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return tuple(getattr(value, field.name) for field in fields(value) if field.init)
    raise NotPlain(value)


def _build(name: Any, parts: list[Any], classes: Classes) -> Any:
    if name == _SET:
        return frozenset(parts)
    kind = classes.get(name) if isinstance(name, str) else None
    try:
        if isinstance(kind, type) and issubclass(kind, Flag):
            return kind(parts[0])
        if isinstance(kind, type) and issubclass(kind, Enum):
            return kind[parts[0]]
        if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return kind(*parts)
        if isinstance(kind, type) and is_dataclass(kind):
            names = [field.name for field in fields(kind) if field.init]
            return kind(**dict(zip(names, parts, strict=True)))
    except (TypeError, ValueError, LookupError) as error:
        raise ValueError(f"cannot build {name} from {parts!r}") from error
    raise ValueError(f"the game defines no class {name!r}")


class _Reader:
    """Reads one value from a text."""

    def __init__(self, text: str, classes: Classes) -> None:
        self.rest, self._classes, self._depth = text, classes, 0

    def read_whole(self) -> Any:
        """A value, or a tuple written without brackets."""
        parts, commas = self._read_list()
        return tuple(parts) if commas else parts[0]

    def _read_list(self) -> tuple[list[Any], bool]:
        """Values separated by commas, and whether there was a comma."""
        found = [self._read_value()]
        commas = False
        while self._take(","):
            commas = True
            if not self.rest or self.rest.startswith(")"):
                break
            found.append(self._read_value())
        return found, commas

    def _read_value(self) -> Any:
        if self._take("("):
            parts, commas = self._read_brackets()
            return tuple(parts) if commas or not parts else parts[0]
        if self.rest.startswith('"'):
            text, end = json.JSONDecoder().raw_decode(self.rest)
            self.rest = self.rest[end:]
            return text
        if found := _NUMBER.match(self.rest):
            self.rest = self.rest[found.end() :]
            return float(found[0]) if found[1] or found[2] else int(found[0])
        if found := _WORD.match(self.rest):
            self.rest = self.rest[found.end() :]
            if self._take("("):
                return _build(found[0], self._read_brackets()[0], self._classes)
            return _NAMES.get(found[0], found[0])
        raise ValueError(f"{self.rest!r} is not a value")

    def _read_brackets(self) -> tuple[list[Any], bool]:
        """The values up to the closing bracket, and whether there was a comma."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ValueError("it is nested too deeply")
        found = ([], False) if self.rest.startswith(")") else self._read_list()
        if not self._take(")"):
            raise ValueError("a closing bracket is missing")
        self._depth -= 1
        return found

    def _take(self, sign: str) -> bool:
        taken = self.rest.startswith(sign)
        self.rest = self.rest[len(sign) :] if taken else self.rest
        return taken
