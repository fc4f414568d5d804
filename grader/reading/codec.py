"""Frozen records as JSON, and back. Every type is checked: the other end read a student's files, and may have been taken over."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from grader.errors import RecordError
from grader.language import Message, from_json, say, to_json

T = TypeVar("T")
_MESSAGE = "said"
_write = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def encode(record: Any) -> bytes:
    """A record as one line of JSON, without the end of the line."""
    return _write(_plain(record)).encode("ascii")


def decode(kind: type[T], line: bytes) -> T:
    """The record of this type in a line. Raises `RecordError` for anything else."""
    try:
        found: T = _build(kind, json.loads(line))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise RecordError(say("not a valid response ({problem})", problem=repr(error)[:200])) from error
    return found


def decode_or_none(kind: type[T], line: bytes) -> T | None:
    """The record of this type in a line, or None if there is none."""
    try:
        return decode(kind, line)
    except RecordError:
        return None


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return {_MESSAGE: to_json(value)}
    if is_dataclass(value):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, Mapping):
        return [[_plain(key), _plain(item)] for key, item in value.items()]
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _build(kind: Any, data: Any) -> Any:
    """The value of a type that `_plain` made this data of."""
    if kind in (int, bool, float, NoneType):
        if type(data) is not kind:
            raise TypeError(f"{type(data).__name__} instead of {kind.__name__}")
        return data
    if kind in (str, Message):
        return _text(kind, data)
    origin = get_origin(kind)
    if origin is UnionType:  # only `X | None` occurs
        (inner,) = (each for each in get_args(kind) if each is not NoneType)
        return None if data is None else _build(inner, data)
    if origin is not None:
        return _collection(origin, get_args(kind), data)
    if kind is bytes:
        return _text(str, data).encode("latin-1")
    if kind is Path or issubclass(kind, Enum):
        return kind(_text(str, data))
    hints = _hints(kind)
    if type(data) is not dict or data.keys() != hints.keys():
        raise TypeError(f"not the members of {kind.__name__}")
    return kind(**{name: _build(hints[name], data[name]) for name in hints})


def _text(kind: type[str], data: Any) -> str:
    if type(data) is dict and data.keys() == {_MESSAGE}:
        return from_json(data[_MESSAGE])
    if type(data) is not str or kind is Message:
        raise TypeError(f"{type(data).__name__} instead of a text")
    return data


def _collection(origin: Any, inner: tuple[Any, ...], data: Any) -> Any:
    if type(data) is not list:
        raise TypeError(f"{type(data).__name__} instead of a list")
    if origin is tuple and inner[-1] is not Ellipsis:
        return tuple(_build(kind, item) for kind, item in zip(inner, data, strict=True))
    if origin in (tuple, frozenset):
        return origin(_items(inner[0], data))
    keys, values = inner
    return {_build(keys, key): _build(values, value) for key, value in data}


def _items(kind: Any, data: list[Any]) -> list[Any]:
    """The members of a list. Those of plain types are checked at once, because there can be a hundred thousand."""
    if kind in (int, str) and set(map(type, data)) <= {kind}:
        return data
    return [_build(kind, item) for item in data]


@cache
def _hints(kind: type) -> dict[str, Any]:
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} is not a record")
    return get_type_hints(kind)
