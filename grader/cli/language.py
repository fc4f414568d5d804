"""The language of a command: that of `--lang`, else of the assignment, else of the system.

click translates its own texts through `gettext`, which reads the variable LANGUAGE. That variable, set in this process,
therefore says which language is in effect, for click's texts and for ours, until the command has ended.
"""

import gettext
import os
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

import click

from grader.cli.help import GENERAL, Decorated, option
from grader.cli.output import ask
from grader.language import CATALOGUES, DOMAIN, LANGUAGES, Language, Message, language, system_language

_META = "grader.lang"
"""The key under which a context keeps the value of `--lang`."""


class HasLanguage(Protocol):
    """Anything that may ask for a language, such as an assignment."""

    @property
    def language(self) -> str | None:
        """One of `LANGUAGES`, or None."""


def lang_option(command: Decorated) -> Decorated:
    """Give a command `--lang`."""
    add = option(
        "--lang",
        group=GENERAL,
        type=click.Choice(LANGUAGES),
        is_eager=True,
        expose_value=False,
        callback=_store_choice,
        help="Output language (default: the assignment's, else the system's).",
    )
    return add(command)


def speaker(*assignments: HasLanguage) -> Language:
    """The language for these assignments, which is in effect from now on."""
    name = speaker_for(*assignments).name
    _set_language(name)
    return language(name)


def speaker_for(*assignments: HasLanguage) -> Language:
    """The language for something that belongs to these assignments, such as a student's feedback."""
    context = click.get_current_context(silent=True)
    chosen: str | None = context.meta.get(_META) if context else None
    wanted = next((assignment.language for assignment in assignments if assignment.language), None)
    return language(chosen or wanted or system_language())


def confirm(question: Message, *, default: bool = True) -> bool:
    """Ask a yes-or-no question, which can be answered in any language; Enter means the default."""
    speak = current_language()
    prompt = (
        speak.say("{question} [Y/n]", question=question)
        if default
        else speak.say("{question} [y/N]", question=question)
    )
    answer = ask(prompt).strip().lower()
    return answer in ("y", "yes", "s", "sí", "si") if answer else default


def current_language() -> Language:
    """The language in effect."""
    return language(system_language())


def set_up_language(arguments: Sequence[str]) -> None:
    """Choose the language before the command line is parsed, so that errors in it are reported in that language."""
    gettext.bindtextdomain(DOMAIN, CATALOGUES)
    gettext.textdomain(DOMAIN)
    _set_language(_requested_language(arguments) or system_language())


def _store_choice(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta[_META] = value
        _set_language(value)


def _set_language(name: str) -> None:
    os.environ["LANGUAGE"] = name


def _requested_language(arguments: Sequence[str]) -> str | None:
    """The value of `--lang`, read before click parses the arguments."""
    before_files = list(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    values = [value for name, value in pairwise(before_files) if name == "--lang"]
    values += [argument.removeprefix("--lang=") for argument in before_files if argument.startswith("--lang=")]
    return next((value for value in values if value in LANGUAGES), None)
