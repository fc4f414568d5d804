"""Write an assignment as commented YAML that is ready to edit. Reading it back gives the same assignment."""

import re
import textwrap
from collections.abc import Iterator
from typing import Any

import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from grader.assignment.model import Assignment, Opponent, player_label
from grader.language import Language, language, verbatim

COMMENT_COLUMN = 32
WIDTH = 110
_WORD = re.compile(r"[^\W\d][\w./()=-]*( [\w./()=-]+)*")
_NOT_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
"""Words that this YAML, or somebody else's, takes for a value."""
_ALWAYS = {"player", "points", "games"}


def render_assignment(assignment: Assignment, speak: Language | None = None) -> str:
    """The whole of an assignment, with what was left out and a comment beside each field, in English if not said."""
    lines: list[str] = []
    speak = speak or language("en")
    for name, field in Assignment.model_fields.items():
        if name == "opponents":
            lines += ["", *_opponent_lines(assignment.opponents, speak), ""]
        else:
            lines += _field_lines(name, field, getattr(assignment, name), speak)
    return "\n".join(lines) + "\n"


def _field_lines(name: str, field: FieldInfo, value: Any, speak: Language, indent: str = "") -> Iterator[str]:
    description = _description(field, speak)
    if value is None:  # an example, to be uncommented
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
    """All of them, each with what is special about it; what can be said of any stands above."""
    yield f"# {speak.say('Of each opponent:')}"
    for name, field in Opponent.model_fields.items():
        yield f"#   {name + ':':<19} {_description(field, speak)}"
    yield "opponents:"
    for opponent in opponents:
        dash = "- "
        for name, field in Opponent.model_fields.items():
            value = getattr(opponent, name)
            usual = player_label(opponent.player, opponent.options) if name == "name" else field.default
            if name in _ALWAYS or value != usual:
                yield f"  {dash}{name}: {_format_field(value)}"
                dash = "  "


def _description(field: FieldInfo, speak: Language) -> str:
    return speak(verbatim(field.description or ""))


def _comment_lines(line: str, description: str) -> Iterator[str]:
    """A line with its comment beside it, or above if there is no room."""
    beside = f"{line:<{COMMENT_COLUMN}}  # {description}"
    if len(beside) <= WIDTH:
        yield beside
        return
    indent = " " * (len(line) - len(line.lstrip()))
    yield from textwrap.wrap(description, WIDTH, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# ")
    yield line


def _format_field(value: Any) -> str:
    """The value of a field: whole numbers without the `.0` that options, whose type counts, have to keep."""
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
