"""Messages for people, and their translation.

`say` makes a message where something happens: an English sentence with named gaps, and what fills them. It is a text like
any other, travels through records and the store, and a `Language` speaks it where somebody reads. Text that is no message,
such as what a student wrote, is left as it is.
"""

import os
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

LANGUAGES = ("en", "es")
CATALOGUES = __file__.removesuffix("__init__.py") + "catalogues"  # pathlib would cost every player's start
DOMAIN = "grader"
_GAP = re.compile(r"\{\{|\}\}|\{[a-z_]\w*(:\d?\d?(\.\d)?[a-z%]?)?\}", re.ASCII)
"""What braces are for in a template. A wide number or a look into a value's attributes is not."""

Value = str | int | float
"""What can fill a gap: another message, too. `json` can write all of them."""


class Message(str):
    """A sentence in English that knows how it was made, so that it can be said in another language."""

    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, values: Mapping[str, Any]) -> "Message":
        self = super().__new__(cls, template.format(**values))
        self.template, self.values = template, values
        return self

    def __getnewargs__(self) -> tuple[str, Mapping[str, Any]]:  # type: ignore[override]  # not what `str` is made of
        return self.template, self.values


def say(template: str, /, **values: Value) -> Message:
    """A message. The catalogues know it by its template, so that has to be written out where it is said."""
    return Message(template, values)


def verbatim(text: str) -> Message:
    """A text that is kept elsewhere, such as the description of a field, as a message without gaps."""
    return Message(text.replace("{", "{{").replace("}", "}}"), {})


def gaps(*names: str) -> dict[str, str]:
    """Each of these gaps filled with itself, for a sentence that the script of a page fills."""
    return {name: f"{{{name}}}" for name in names}


def translations(texts: Mapping[str, str]) -> Message:
    """A text that is given in every one of `LANGUAGES`, such as a course's own words for an ending."""
    return Message("{" + _CHOSEN + "}", {_CHOSEN: texts["en"], **{f"{_CHOSEN}_{name}": texts[name] for name in texts}})


_CHOSEN = "words"


def to_json(text: Value) -> Any:
    """How a message was made, as what `json` can write; anything else as it is."""
    if not isinstance(text, Message):
        return text
    return [text.template, {name: to_json(value) for name, value in text.values.items()}]


def from_json(data: list[Any]) -> Message:
    """The message that `to_json` wrote. Raises `ValueError` for what no `say` can have made: it may be anybody's file."""
    template, values = data
    if re.search("[{}]", _GAP.sub("", template)):
        raise ValueError("a message with other gaps than names")
    return Message(
        template, {name: from_json(value) if isinstance(value, list) else value for name, value in values.items()}
    )


class Language:
    """Speaks messages: `speak(finding.text)`, or `speak.say("{games} games", games=4)` for one made on the spot."""

    def __init__(self, name: str) -> None:
        from gettext import NullTranslations, translation  # here: every player's process imports this module

        self.name = name
        self._catalogue: NullTranslations = (
            NullTranslations() if name == "en" else translation(DOMAIN, CATALOGUES, [name])
        )

    def __call__(self, text: str) -> str:
        """A message in this language; any other text as it is."""
        if not isinstance(text, Message):
            return text
        if text.template == "{" + _CHOSEN + "}":
            return str(text.values.get(f"{_CHOSEN}_{self.name}", text))
        values = {name: self(value) if isinstance(value, str) else value for name, value in text.values.items()}
        return self._catalogue.gettext(text.template).format(**values)

    def say(self, template: str, /, **values: Value) -> str:
        """Make a message and speak it."""
        return self(Message(template, values))


@cache
def language(name: str) -> Language:
    """The language of that name, one of `LANGUAGES`."""
    return Language(name)


def system_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the environment asks for, English if it asks for none that is known."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        wanted = environment.get(variable, "")
        if wanted:
            first = [language.lower()[:2] for language in wanted.split(":")]
            return next((name for name in first if name in LANGUAGES), "en")
    return "en"
