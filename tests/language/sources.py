"""Every text that the program shows to people, found where it is written."""

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
from jinja2 import Environment
from jinja2.ext import extract_from_ast
from pydantic import BaseModel

from grader.assignment import model
from grader.cli import COMMANDS, main
from grader.cli.language import TYPES
from grader.inspection.reference_catalogue import reference_players
from grader.language import verbatim

ROOT = Path(__file__).parent.parent.parent
PLAIN = ("grader/kit/files/", "/handout/")
"""What students are handed is written once in each language, and is no part of the program."""


def messages() -> dict[str, set[str]]:
    """The texts, each with the files that say it."""
    found: dict[str, set[str]] = {}
    for text, file in (*_said(), *_in_templates(), *_helps(), *_descriptions()):
        found.setdefault(text, set()).add(file)
    return found


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """The files of the program, read."""
    return tuple(_modules())


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((ROOT / "grader").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not any(part in name for part in PLAIN):
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def say_calls(module: ast.Module) -> Iterator[ast.Call]:
    """Every `say(…)` and `speak.say(…)`."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name == "say":
                yield node


def literal(node: ast.expr | None) -> str | None:
    """A text that is written out."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command as click knows it, with those inside others."""
    context = click.Context(main)
    waiting: list[tuple[str, click.Command]] = [("grader", main)]
    waiting += [(f"grader {name}", command) for name in COMMANDS if (command := main.get_command(context, name))]
    while waiting:
        name, command = waiting.pop()
        yield name, command
        if isinstance(command, click.Group):
            waiting += [(f"{name} {inner}", one) for inner, one in command.commands.items()]


def _said() -> Iterator[tuple[str, str]]:
    for file, module in modules():
        for call in say_calls(module):
            text = literal(call.args[0]) if call.args else None
            if text is not None:
                yield text, file


def _in_templates() -> Iterator[tuple[str, str]]:
    environment = Environment(autoescape=True)
    for path in sorted((ROOT / "grader").rglob("templates/*")):
        tree = environment.parse(path.read_text(encoding="utf-8"))
        for _, _, text in extract_from_ast(tree, ("say",)):
            first = text[0] if isinstance(text, tuple) else text
            if first:
                yield first, path.relative_to(ROOT).as_posix()


def _helps() -> Iterator[tuple[str, str]]:
    for name, command in commands():
        options = [param.help for param in command.params if isinstance(param, click.Option)]
        options += [param.metavar for param in command.params if isinstance(param, click.Option)]
        for text in (command.help, command.short_help, command.epilog, *options):
            if text:
                yield inspect.cleandoc(text), f"{name} --help"
    for text in TYPES.values():
        yield text, "grader --help"


def _descriptions() -> Iterator[tuple[str, str]]:
    for section in vars(model).values():
        if inspect.isclass(section) and issubclass(section, BaseModel):
            for field in section.model_fields.values():
                if field.description:
                    yield verbatim(field.description).template, "grader/assignment/model.py"
    for player in reference_players():
        yield verbatim(player.summary).template, f"reference_players/{player.name}.py"
