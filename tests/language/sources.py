"""Collect every text that the program shows to people from its source code."""

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from grader.assignment.field_types import AssignmentSection
from grader.cli import main
from grader.cli.help import (
    ARGUMENTS,
    COMMANDS,
    EXAMPLES,
    GENERAL,
    OPTIONS,
    TYPES,
    CliArgument,
    CliCommand,
    CliGroup,
    CliOption,
)
from grader.inspection.reference_catalogue import reference_players
from grader.language import verbatim

ROOT = Path(__file__).parent.parent.parent
HANDOUTS = ("grader/kit/files/", "/handout/")
"""Files for students, which are written once in each language and are not part of the program."""

Text = str | tuple[str, str]
"""A text without a count, or the singular and the plural of one with a count."""


def messages() -> dict[Text, set[str]]:
    """All texts, each with the files that use it."""
    found: dict[Text, set[str]] = {}
    for text, file in (*_python_texts(), *_template_texts(), *_help_texts(), *_descriptions()):
        found.setdefault(text, set()).add(file)
    return found


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """The parsed modules of the program, each with its path."""
    paths = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "grader").rglob("*.py"))]
    return tuple(
        (path, ast.parse((ROOT / path).read_text(encoding="utf-8")))
        for path in paths
        if not any(part in path for part in HANDOUTS)
    )


def say_calls(module: ast.Module) -> Iterator[ast.Call]:
    """Every call of `say(…)` or `speak.say(…)`."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name == "say":
                yield node


def literal(node: ast.expr | None) -> str | None:
    """The value of a string literal."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command and subcommand, with its full name."""
    context = click.Context(main)
    waiting: list[tuple[str, click.Command]] = [("grader", main)]
    waiting += [(f"grader {name}", command) for name in main.summaries if (command := main.get_command(context, name))]
    while waiting:
        name, command = waiting.pop()
        yield name, command
        if isinstance(command, click.Group):
            waiting += [(f"{name} {inner}", subcommand) for inner, subcommand in command.commands.items()]


def text_of(call: ast.Call) -> Text | None:
    """The text or texts of a `say(…)` call, if they are string literals."""
    forms = [literal(argument) for argument in call.args]
    if len(forms) == 2 and forms[0] is not None and forms[1] is not None:
        return forms[0], forms[1]
    return forms[0] if len(forms) == 1 else None


def _python_texts() -> Iterator[tuple[Text, str]]:
    for file, module in modules():
        for call in say_calls(module):
            text = text_of(call)
            if text is not None:
                yield text, file


def _template_texts() -> Iterator[tuple[Text, str]]:
    environment = Environment(autoescape=True)
    for path in sorted((ROOT / "grader").rglob("templates/*")):
        tree = environment.parse(path.read_text(encoding="utf-8"))
        for _, _, text in extract_from_ast(tree, ("say",)):
            forms = [form for form in (text if isinstance(text, tuple) else (text,)) if form is not None]
            if forms:
                yield (forms[0], forms[1]) if len(forms) == 2 else forms[0], path.relative_to(ROOT).as_posix()


def _help_texts() -> Iterator[tuple[str, str]]:
    for name, command in commands():
        for text in _texts_of(command):
            if text:
                yield inspect.cleandoc(text), f"{name} --help"
    for text in (ARGUMENTS, COMMANDS, EXAMPLES, GENERAL, OPTIONS, *TYPES.values()):
        yield text, "grader --help"


def _texts_of(command: click.Command) -> Iterator[str | None]:
    """Every text in the help of a command."""
    assert isinstance(command, CliCommand | CliGroup)
    yield command.help
    yield from (comment for comment, _ in command.examples)
    if isinstance(command, CliGroup):
        yield from command.summaries.values()
    for param in command.params:
        if isinstance(param, CliArgument):
            yield param.description
        elif isinstance(param, CliOption):
            yield from (param.help, param.metavar, param.group)


def _descriptions() -> Iterator[tuple[str, str]]:
    for section in AssignmentSection.__subclasses__():
        for field in section.model_fields.values():
            if field.description:
                yield verbatim(field.description).template, section.__module__.replace(".", "/") + ".py"
    for player in reference_players():
        yield verbatim(player.summary).template, f"reference_players/{player.name}.py"
