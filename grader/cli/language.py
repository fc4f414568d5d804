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
        callback=_keep,
        help="Speak English or Spanish; as the assignment or the locale says if not given.",
    )
    return option(command)


def speaker(*assignments: "Assignment") -> Language:
    """The language in which this command speaks from now on."""
    name = speaker_for(*assignments).name
    _put_in_force(name)
    return language(name)


def speaker_for(*assignments: "Assignment") -> Language:
    """The language for something that belongs to these assignments, such as a student's feedback."""
    context = click.get_current_context(silent=True)
    chosen: str | None = context.meta.get(_META) if context else None
    wanted = next((assignment.language for assignment in assignments if assignment.language), None)
    return language(chosen or wanted or system_language())


def agreed(question: Message) -> bool:
    """Ask a person, who may say yes in either language, or with Enter."""
    speak = in_force()
    asked = speak.say("{question} [Y/n]", question=question)
    answer: str = click.prompt(asked, default="", show_default=False, err=True)
    return answer.strip().lower() in ("", "y", "yes", "s", "sí", "si")


def in_force() -> Language:
    """The language that was spoken last: for what is said when the command is over."""
    return language(system_language())


def begin(arguments: Sequence[str]) -> None:
    """Choose the language before anything else is done, so that even a wrong argument is told in it."""
    gettext.bindtextdomain(DOMAIN, CATALOGUES)
    gettext.textdomain(DOMAIN)
    _put_in_force(_asked_for(arguments) or system_language())


def translated(command: click.Command) -> click.Command:
    """A copy of a command whose help is in the language in force."""
    spoken = copy.copy(command)
    for name in ("help", "short_help", "epilog", "options_metavar", "subcommand_metavar"):
        if getattr(command, name, None):
            setattr(spoken, name, _looked_up(getattr(command, name)))
    spoken.params = [_translated_option(param) for param in command.params]
    if isinstance(spoken, click.Group):
        spoken.commands = {name: translated(inner) for name, inner in spoken.commands.items()}
    return spoken


def _keep(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta[_META] = value
        _put_in_force(value)


def _put_in_force(name: str) -> None:
    os.environ["LANGUAGE"] = name


def _asked_for(arguments: Sequence[str]) -> str | None:
    """What `--lang` will say, read ahead of click."""
    given = list(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    values = [after for before, after in pairwise(given) if before == "--lang"]
    values += [argument.removeprefix("--lang=") for argument in given if argument.startswith("--lang=")]
    return next((value for value in values if value in LANGUAGES), None)


def _translated_option(param: click.Parameter) -> click.Parameter:
    spoken = copy.copy(param)
    if isinstance(spoken, click.Option):
        spoken.help = _looked_up(spoken.help) if spoken.help else None
        spoken.metavar = _looked_up(spoken.metavar) if spoken.metavar else None
        spoken.type = _translated_type(spoken.type)
    return spoken


def _translated_type(of: Any) -> Any:  # click's types are generic in some of its versions only
    """A type that calls itself what a person would: click says it in help, and of a value that does not fit."""
    name = TYPES.get(of.name)
    if name is None:
        return of
    spoken = copy.copy(of)
    spoken.name = _looked_up(name)
    return spoken


def _looked_up(text: str) -> str:
    return gettext.gettext(inspect.cleandoc(text))
