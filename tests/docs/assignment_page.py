"""`docs/reference/assignment.md`, made from the model of an assignment."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from grader.assignment import Assignment
from tests.docs.assignment_examples import DEFAULTS, EXAMPLES, NOTES

INTRO = """\
# Assignment fields

Every field of `assignment.yaml`. This page is generated from the model that reads it; [the guide](../instructors/assignment.md)
explains how the fields work together, and `grader run submissions/ --show-assignment` prints the assignment in effect with all its
defaults, ready to edit.

A file can hold one assignment for each game, separated by `---`. Unknown fields are errors, and every mistake is reported
with its line and column.
"""


@dataclass(frozen=True, slots=True)
class DocumentedField:
    """A field of an assignment, wherever it is."""

    path: str
    """`time.move`, `opponents[].player`."""
    info: FieldInfo


def fields(model: type[BaseModel] = Assignment, prefix: str = "") -> Iterator[DocumentedField]:
    """All fields, each section's after the section."""
    for name, info in model.model_fields.items():
        path = f"{prefix}{info.alias or name}"
        yield DocumentedField(path, info)
        inner = _section(info.annotation)
        if inner is not None:
            origin = get_origin(info.annotation)
            yield from fields(inner, f"{path}{'[]' if origin is tuple else '.ID' if origin is dict else ''}.")


def render() -> str:
    """The whole page."""
    found = list(fields())
    summary = ["| field | type | default |", "|---|---|---|"]
    summary += [
        f"| [`{one.path}`](#{_anchor(one.path)}) | {_type(one.info.annotation)} | {_default(one)} |" for one in found
    ]
    return "\n".join([INTRO, *summary, "", *(_describe(one) for one in found)]).rstrip() + "\n"


def _describe(field: DocumentedField) -> str:
    description = (field.info.description or "").strip()
    text = _capitalise(description).rstrip(".")
    allowed = _allowed(field.info)
    return "\n".join(
        [
            f"## `{field.path}`\n",
            *([f"{_escape(text)}.\n"] if text else []),
            *([f"{NOTES[field.path]}\n"] if field.path in NOTES else []),
            f"- **Type:** {_type(field.info.annotation)}",
            f"- **Default:** {_default(field)}",
            *([f"- **Allowed:** {allowed}"] if allowed else []),
            f"\n```yaml\n{EXAMPLES[field.path]}\n```\n",
        ]
    )


def _capitalise(description: str) -> str:
    """A description as a sentence; values at its beginning or after a semicolon, as in `game: …`, are set as code."""
    text = re.sub(r"(^|; )(by-opponent|ladder|game|pairing|true)(?=: )", r"\1`\2`", description)
    return f"{text[:1].upper()}{text[1:]}"


def _section(annotation: Any) -> type[BaseModel] | None:
    """The model of the section, of each item of the list, or of each value of the mapping that a field holds."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for inner in get_args(annotation) if (found := _section(inner)) is not None), None)


def _type(annotation: Any) -> str:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _type(inner[0])
    if origin is Literal:
        return f"one of {', '.join(f'`{word}`' for word in inner)}"
    if origin is tuple:
        return "list of sections" if _section(annotation) else "list"
    if origin is dict:
        return "mapping of ids to sections" if _section(annotation) else "mapping"
    if inner:  # X | None
        return _type(next(one for one in inner if one is not type(None)))
    if _section(annotation):
        return "section"
    return {str: "text", int: "whole number", float: "number", bool: "true or false"}[annotation]


def _default(field: DocumentedField) -> str:
    if field.path in DEFAULTS:
        return DEFAULTS[field.path]
    default = field.info.default
    if default is PydanticUndefined:
        return "none (required)" if "." in field.path else "the built-in assignment's"
    if isinstance(default, BaseModel):
        return "its fields' defaults"
    if default is None or default == "":
        return "none"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, tuple):
        return "`[]`"
    return f"`{default:g}`" if isinstance(default, int | float) else f"`{default}`"


def _allowed(info: FieldInfo) -> str:
    """Which values are allowed: the words, or what the model says of a value that is not."""
    if _type(info.annotation).startswith("one of"):
        return ""  # the type lists them
    words = _words(info.annotation)
    if words:
        return ", ".join(f"`{word}`" for word in words)
    annotation: Any = info.annotation
    for item in info.metadata:
        annotation = Annotated[annotation, item]
    try:
        TypeAdapter(annotation).validate_python(object())
    except ValidationError as error:
        message = error.errors()[0]["msg"]
        if message.startswith("must be "):
            return _escape(message.removeprefix("must be ").rpartition(", not ")[0])
    return ""


def _words(annotation: Any) -> tuple[str, ...]:
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return next((found for inner in get_args(annotation) if (found := _words(inner))), ())


def _anchor(path: str) -> str:
    return "".join(letter for letter in path.lower() if letter.isalnum() or letter in "-_")


def _escape(text: str) -> str:
    return text.replace("<", "&lt;").replace("*", "\\*").replace("|", "\\|")
