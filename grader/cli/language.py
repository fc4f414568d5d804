"""In which language a command speaks: that of `--lang`, else of the assignment, else of the locale.

click looks its own phrases up through `gettext`, which goes by the variable LANGUAGE. So that variable, in this process, is
what says which language is in force: for click's words, for ours, and for an error that is told when the command is over.
"""

import copy
import gettext
import inspect
import os
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grader.language import CATALOGUES, DOMAIN, LANGUAGES, Language, Message, language, system_language

if TYPE_CHECKING:
    from grader.assignment import Assignment

_META = "grader.lang"
"""Under which a context keeps what `--lang` said."""

TYPES = {"integer": "integer", "integer range": "integer", "float": "number", "float range": "number", "text": "text"}
"""What click's types are called here: it calls a number between two others a "float range"."""

Decorated = TypeVar("Decorated", bound=Callable[..., object])


def lang_option(command: Decorated) -> Decorated:
    """Give a command `--lang`."""
    option = click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        is_eager=True,
        expose_value=False,
        callback=_keep_choice,
        help="Speak English or Spanish; as the assignment or the locale says if not given.",
    )
    return option(command)


def speaker(*assignments: "Assignment") -> Language:
    """The language in which this command speaks from now on."""
    name = speaker_for(*assignments).name
    _set_language(name)
    return language(name)


def speaker_for(*assignments: "Assignment") -> Language:
    """The language for something that belongs to these assignments, such as a student's feedback."""
    context = click.get_current_context(silent=True)
    chosen: str | None = context.meta.get(_META) if context else None
    wanted = next((assignment.language for assignment in assignments if assignment.language), None)
    return language(chosen or wanted or system_language())


def confirm(question: Message) -> bool:
    """Ask a person, who may say yes in either language, or with Enter."""
    speak = current_language()
    asked = speak.say("{question} [Y/n]", question=question)
    answer: str = click.prompt(asked, default="", show_default=False, err=True)
    return answer.strip().lower() in ("", "y", "yes", "s", "sí", "si")


def current_language() -> Language:
    """The language that was spoken last: for what is said when the command is over."""
    return language(system_language())


def set_up_language(arguments: Sequence[str]) -> None:
    """Choose the language before anything else is done, so that even a wrong argument is told in it."""
    gettext.bindtextdomain(DOMAIN, CATALOGUES)
    gettext.textdomain(DOMAIN)
    _set_language(_requested_language(arguments) or system_language())


def translate_command(command: click.Command) -> click.Command:
    """A copy of a command whose help is in the language in force."""
    spoken = copy.copy(command)
    for name in ("help", "short_help", "epilog", "options_metavar", "subcommand_metavar"):
        if getattr(command, name, None):
            setattr(spoken, name, _translate_text(getattr(command, name)))
    spoken.params = [_translate_option(param) for param in command.params]
    if isinstance(spoken, click.Group):
        spoken.commands = {name: translate_command(inner) for name, inner in spoken.commands.items()}
    return spoken


def _keep_choice(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta[_META] = value
        _set_language(value)


def _set_language(name: str) -> None:
    os.environ["LANGUAGE"] = name


def _requested_language(arguments: Sequence[str]) -> str | None:
    """What `--lang` will say, read ahead of click."""
    given = list(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    values = [after for before, after in pairwise(given) if before == "--lang"]
    values += [argument.removeprefix("--lang=") for argument in given if argument.startswith("--lang=")]
    return next((value for value in values if value in LANGUAGES), None)


def _translate_option(param: click.Parameter) -> click.Parameter:
    spoken = copy.copy(param)
    if isinstance(spoken, click.Option):
        spoken.help = _translate_text(spoken.help) if spoken.help else None
        spoken.metavar = _translate_text(spoken.metavar) if spoken.metavar else None
        spoken.type = _translate_type(spoken.type)
    return spoken


def _translate_type(of: Any) -> Any:  # click's types are generic in some of its versions only
    """A type that calls itself what a person would: click says it in help, and of a value that does not fit."""
    name = TYPES.get(of.name)
    if name is None:
        return of
    spoken = copy.copy(of)
    spoken.name = _translate_text(name)
    return spoken


def _translate_text(text: str) -> str:
    return gettext.gettext(inspect.cleandoc(text))
