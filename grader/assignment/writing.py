"""Write an assignment as YAML with a comment on every field. Reading it back gives the same assignment."""

import re
import textwrap
from collections.abc import Iterator
from typing import Any

import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from grader.assignment.model import Assignment
from grader.assignment.opponents import Opponent, player_label
from grader.language import Language, language, verbatim

COMMENT_COLUMN = 32
WIDTH = 110
_WORD = re.compile(r"[^\W\d][\w./()=-]*( [\w./()=-]+)*")
_NOT_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
"""Words that some YAML reader takes for true, false or null."""
_ALWAYS = {"player", "points", "games"}


def render_assignment(assignment: Assignment, speak: Language | None = None) -> str:
    """The complete assignment: every field, including those left out, with a comment (default: in English)."""
    lines: list[str] = []
    speak = speak or language("en")
    for name, field in Assignment.model_fields.items():
        if name == "opponents":
            lines += ["", *_opponent_lines(assignment.opponents, speak), ""]
        else:
            lines += _field_lines(field.alias or name, field, getattr(assignment, name), speak)
    return "\n".join(lines) + "\n"


def _field_lines(name: str, field: FieldInfo, value: Any, speak: Language, indent: str = "") -> Iterator[str]:
    description = _description(field, speak)
    if value is None:  # an example to uncomment
        yield from _comment_lines(f"{indent}# {name}: {_format_inline((field.examples or ['null'])[0])}", description)
    elif isinstance(value, BaseModel):
        yield from _comment_lines(f"{indent}{name}:", description)
        for inner, inner_field in type(value).model_fields.items():
            yield from _field_lines(inner, inner_field, getattr(value, inner), speak, indent + "  ")
    elif isinstance(value, dict) and value:
        yield from _comment_lines(f"{indent}{name}:", description)
        yield from (f"{indent}  {_format_inline(key)}: {_format_inline(item)}" for key, item in value.items())
    else:
        yield from _comment_lines(f"{indent}{name}: {_format_field(value)}", description)


def _opponent_lines(opponents: tuple[Opponent, ...], speak: Language) -> Iterator[str]:
    """The opponents, each with the fields that are not at their default, below a comment that explains all fields."""
    yield f"# {speak.say('Fields of each opponent:')}"
    for name, field in Opponent.model_fields.items():
        start = f"#   {name + ':':<19} "
        indent = "#" + " " * (len(start) - 1)
        yield from textwrap.wrap(
            _description(field, speak), WIDTH, initial_indent=start, subsequent_indent=indent, break_on_hyphens=False
        )
    yield "opponents:"
    for opponent in opponents:
        dash = "- "
        for name, field in Opponent.model_fields.items():
            value = getattr(opponent, name)
            default = player_label(opponent.player, opponent.options) if name == "name" else field.default
            if name in _ALWAYS or value != default:
                yield f"  {dash}{name}: {_format_field(value)}"
                dash = "  "


def _description(field: FieldInfo, speak: Language) -> str:
    return speak(verbatim(field.description or ""))


def _comment_lines(line: str, description: str) -> Iterator[str]:
    """A line followed by its comment, or below it if the comment is too long for one line."""
    with_comment = f"{line:<{COMMENT_COLUMN}}  # {description}"
    if len(with_comment) <= WIDTH:
        yield with_comment
        return
    indent = " " * (len(line) - len(line.lstrip()))
    yield from textwrap.wrap(
        description, WIDTH, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# ", break_on_hyphens=False
    )
    yield line


def _format_field(value: Any) -> str:
    """The value of a field: whole numbers without `.0`, unlike in options, where 1 and 1.0 differ."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else _format_inline(value)


def _format_inline(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, BaseModel):
        return _format_inline(value.model_dump(by_alias=True, exclude_none=True))
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_format_inline(key)}: {_format_inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_format_inline, value)) + "]"
    if isinstance(value, str):
        return value if _WORD.fullmatch(value) and value.lower() not in _NOT_WORDS else _quote(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)


def _quote(text: str) -> str:
    return yaml.safe_dump(text, default_style='"', allow_unicode=True, width=10_000).strip()
