"""Messages for people, and their translation.

`say` creates a message: an English template with named gaps, and the values that fill them. A message is a `str`, so it
can be stored in records and in the database like any other text. A `Language` translates it when it is shown.
Text that is not a message, such as what a student wrote, is left unchanged.

A message with a count takes a second template, for the plural. The gap for the count is always called `n`:
`say("{n} game", "{n} games", n=4)`.
"""

import os
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

LANGUAGES = ("en", "es")
CATALOGUES = (
    __file__.removesuffix("__init__.py") + "catalogues"
)  # importing pathlib would slow down every player's start
DOMAIN = "grader"
_DECIMAL_COMMA = ("es",)
"""The languages that write 5,75 instead of 5.75."""
_GAP = re.compile(r"\{\{|\}\}|\{[a-z_]\w*(:\d?\d?(\.\d)?[a-z%]?)?\}", re.ASCII)
"""The gaps that a stored template may have: very wide fields and attribute access are refused."""

Value = str | int | float
"""What can fill a gap; a `str` may itself be a message. `json` can write all of these."""


class Message(str):
    """An English text that remembers its template and values, so that it can be translated later."""

    template: str
    values: Mapping[str, Any]
    plural: str | None
    """The template for any count other than 1, if the message has a count."""

    def __new__(cls, template: str, values: Mapping[str, Any], plural: str | None = None) -> "Message":
        if not all(_is_valid(value) for value in values.values()):
            values = {name: value if _is_valid(value) else valid_text(value) for name, value in values.items()}
        chosen = template if plural is None or values["n"] == 1 else plural
        self = super().__new__(cls, _fill(chosen, values, "en"))
        self.template, self.values, self.plural = template, values, plural
        return self

    def __getnewargs__(self) -> tuple[str, Mapping[str, Any], str | None]:  # type: ignore[override]  # unlike those of `str`
        return self.template, self.values, self.plural


def valid_text(text: str) -> str:
    """The text with each lone surrogate replaced: no file, database or terminal accepts one, and students can write them."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _is_valid(value: object) -> bool:
    if not isinstance(value, str) or value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


class _LocalNumber:
    """A number that is formatted with the decimal mark of a language, a real minus sign, and a space before a percent sign."""

    __slots__ = ("_language", "_value")

    def __init__(self, value: float, language_name: str) -> None:
        self._value, self._language = value, language_name

    def __format__(self, spec: str) -> str:
        text = format(self._value, spec)
        if text.startswith("-"):
            text = f"−{text[1:]}"
        if self._language in _DECIMAL_COMMA:
            text = text.replace(".", ",")
        return f"{text[:-1]} %" if text.endswith("%") else text


def _fill(template: str, values: Mapping[str, Any], language_name: str) -> str:
    return template.format(
        **{
            name: _LocalNumber(value, language_name) if type(value) in (int, float) else value
            for name, value in values.items()
        }
    )


def say(template: str, plural: str | None = None, /, **values: Value) -> Message:
    """Create a message. Pass string literals: the catalogue of translations is collected from the source code."""
    return Message(template, values, plural)


def verbatim(text: str) -> Message:
    """A message without gaps, from a text that is defined elsewhere, such as the description of a field."""
    return Message(text.replace("{", "{{").replace("}", "}}"), {})


def gaps(*names: str) -> dict[str, str]:
    """Values that leave these gaps unfilled, for a message that a page's script fills in."""
    return {name: f"{{{name}}}" for name in names}


def translations(texts: Mapping[str, str]) -> Message:
    """A message whose text is given in each of `LANGUAGES`, such as a course's own words for an ending."""
    return Message("{" + _CHOSEN + "}", {_CHOSEN: texts["en"], **{f"{_CHOSEN}_{name}": texts[name] for name in texts}})


_CHOSEN = "words"


def to_json(text: Value) -> Any:
    """A message as data for `json`; any other value unchanged."""
    if not isinstance(text, Message):
        return text
    made_of = [text.template, {name: to_json(value) for name, value in text.values.items()}]
    return made_of if text.plural is None else [*made_of, text.plural]


def from_json(data: list[Any]) -> Message:
    """The message that `to_json` wrote. Raises `ValueError` for anything else: the file may come from anyone."""
    template, values, plural = data if len(data) == 3 else (*data, None)
    if any(re.search("[{}]", _GAP.sub("", text)) for text in (template, plural or "")):
        raise ValueError("a message with gaps that are not plain names")
    return Message(
        template,
        {name: from_json(value) if isinstance(value, list) else value for name, value in values.items()},
        plural,
    )


class Language:
    """Translates messages: `speak(finding.text)`, or `speak.say("{n} game", "{n} games", n=4)` for a new one."""

    def __init__(self, name: str) -> None:
        from gettext import NullTranslations, translation  # here: every player's process imports this module

        self.name = name
        self._catalogue: NullTranslations = (
            NullTranslations() if name == "en" else translation(DOMAIN, CATALOGUES, [name])
        )

    def __call__(self, text: str) -> str:
        """A message in this language; any other text unchanged."""
        if not isinstance(text, Message):
            return text
        if text.template == "{" + _CHOSEN + "}":
            return str(text.values.get(f"{_CHOSEN}_{self.name}", text))
        values = {name: self(value) if isinstance(value, str) else value for name, value in text.values.items()}
        return _fill(self._template(text), values, self.name)

    def _template(self, text: Message) -> str:
        if text.plural is None:
            return self._catalogue.gettext(text.template)
        return self._catalogue.ngettext(text.template, text.plural, text.values["n"])

    def say(self, template: str, plural: str | None = None, /, **values: Value) -> str:
        """Create a message and translate it."""
        return self(Message(template, values, plural))

    @property
    def decimal_mark(self) -> str:
        """`.` or `,`."""
        return "," if self.name in _DECIMAL_COMMA else "."

    def number(self, value: float, spec: str = "g") -> str:
        """A number as this language writes it: 5.75 or 5,75; with the spec `.0%`, 75 %."""
        return format(_LocalNumber(value, self.name), spec)


@cache
def language(name: str) -> Language:
    """The language of that name, one of `LANGUAGES`."""
    return Language(name)


def system_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the environment asks for, or English if it asks for none of `LANGUAGES`."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        wanted = environment.get(variable, "")
        if wanted:
            first = [language.lower()[:2] for language in wanted.split(":")]
            return next((name for name in first if name in LANGUAGES), "en")
    return "en"
