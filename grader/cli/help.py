"""How commands describe themselves in `--help`: arguments, options in groups, and examples.

All texts are written in English and translated when they are shown, into the language in effect at that moment: an
assignment may have changed it since the command was defined.
"""

import copy
import gettext
import inspect
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from grader.language import say

Decorated = TypeVar("Decorated", bound=Callable[..., object])

ARGUMENTS, OPTIONS, COMMANDS, EXAMPLES = "Arguments", "Options", "Commands", "Examples"
"""Titles of sections. A command whose options are all general has them under `OPTIONS`."""
GENERAL = "General"
"""The title of the last group of options: `--lang` and `--help`."""

TYPES = {"integer": "integer", "integer range": "integer", "float": "number", "float range": "number", "text": "text"}
"""What click's types are called here: click calls a number between two others a "float range"."""

_WIDEST_NAME = 26
"""Columns for the names of options; the description of a longer one starts on the next line."""


def command(
    *, examples: Sequence[tuple[str, str]], name: str | None = None
) -> Callable[[Callable[..., object]], click.Command]:
    """Turn a function into a command. Each example is a comment and a command line."""
    return click.command(name, cls=CliCommand, examples=examples)


def argument(name: str, description: str, **settings: Any) -> Callable[[Decorated], Decorated]:
    """A decorator that gives a command an argument. It can be used for several commands."""
    # A new decorator of click for each command: click 8.1.0 forgets `cls` after the first use.
    return lambda command: click.argument(name, cls=CliArgument, description=description, **settings)(command)


def option(*names: str, group: str, **settings: Any) -> Callable[[Decorated], Decorated]:
    """A decorator that gives a command an option, shown under the title of its group."""
    return lambda command: click.option(*names, cls=CliOption, group=group, **settings)(command)


class CliArgument(click.Argument):
    """An argument with a description."""

    def __init__(self, *names: Any, description: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.description = description


class CliOption(click.Option):
    """An option that belongs to a group and is described in the language in effect."""

    def __init__(self, *names: Any, group: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.group = group

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The two columns of this option in its command's help, without the range of a number."""
        translated = self._translated()
        if isinstance(self.type, click.IntRange | click.FloatRange):
            name = translated.type.name
            translated.type = copy.copy(click.INT if isinstance(self.type, click.IntRange) else click.FLOAT)
            translated.type.name = name
        return super(CliOption, translated).get_help_record(ctx)

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Convert a value, or say in the language in effect why it does not fit."""
        return super(CliOption, self._translated()).type_cast_value(ctx, value)

    def _translated(self) -> "CliOption":
        translated = copy.copy(self)
        translated.help = _translate(self.help) if self.help else None
        translated.metavar = _translate(self.metavar) if self.metavar else None
        if self.type.name in TYPES:
            translated.type = copy.copy(self.type)
            translated.type.name = _translate(TYPES[self.type.name])
        return translated


class _WithHelp(click.Command):
    """A command whose help lists arguments, options in groups, and examples."""

    examples: Sequence[tuple[str, str]] = ()

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """What follows the name of the command in its usage line."""
        metavars = (self.options_metavar, getattr(self, "subcommand_metavar", None))
        return [_translate(piece) if piece in metavars else piece for piece in super().collect_usage_pieces(ctx)]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  click's signature
        """Write what the command does."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(_translate(self.help or ""))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the arguments and the groups of options, with all descriptions in one column."""
        groups = self._groups(ctx)
        names = [name for rows in groups.values() for name, _ in rows]
        width = min(max(map(len, names)), _WIDEST_NAME)
        for title, rows in groups.items():
            with formatter.section(_translate(title)):
                formatter.write_dl([(name.ljust(width), text) for name, text in rows], col_max=width)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  click's signature
        """Write the examples, which are not wrapped."""
        with formatter.section(_translate(EXAMPLES)):
            for comment, line in self.examples:
                for text in (f"# {_translate(comment)}", line):
                    formatter.write(f"{'':{formatter.current_indent}}{text}\n")

    def _groups(self, ctx: click.Context) -> dict[str, list[tuple[str, str]]]:
        """The rows below each title, in the order in which the command has them; general options come last."""
        groups: dict[str, list[tuple[str, str]]] = {}
        general: list[tuple[str, str]] = []
        for param in self.get_params(ctx):
            if isinstance(param, CliArgument):
                (name,) = param.get_usage_pieces(ctx)
                groups.setdefault(ARGUMENTS, []).append((name, _translate(param.description)))
            elif (record := param.get_help_record(ctx)) is not None:
                group = getattr(param, "group", GENERAL)  # click's own options, such as --help, have none
                (general if group == GENERAL else groups.setdefault(group, [])).append(record)
        only_general = not set(groups) - {ARGUMENTS}
        return {**groups, OPTIONS if only_general else GENERAL: general}


class CliCommand(_WithHelp):
    """A command."""

    def __init__(self, *args: Any, examples: Sequence[tuple[str, str]], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.examples = examples


class CliGroup(_WithHelp, click.Group):
    """A command with sub-commands, whose summaries are known without importing them."""

    def __init__(
        self, *args: Any, summaries: Mapping[str, str], examples: Sequence[tuple[str, str]], **settings: Any
    ) -> None:
        super().__init__(*args, **settings)
        self.summaries = summaries
        self.examples = examples

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """The names of the sub-commands, in the order in which help lists them."""
        return list(self.summaries)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sub-commands, and then the options."""
        self.format_commands(ctx, formatter)
        super().format_options(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  click's signature
        """Write the table of sub-commands."""
        with formatter.section(_translate(COMMANDS)):
            formatter.write_dl([(name, _translate(summary)) for name, summary in self.summaries.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the sub-command that was named, or suggest one with a similar name."""
        name = args[0]
        similar = get_close_matches(name, self.summaries, n=1)
        if name not in self.summaries and similar and not ctx.resilient_parsing:
            raise click.UsageError(
                say("No such command {name}. Did you mean {similar}?", name=repr(name), similar=repr(similar[0])), ctx
            )
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete the name of a sub-command, without importing any of them."""
        names = [name for name in self.summaries if name.startswith(incomplete)]
        items = [CompletionItem(name, help=_translate(self.summaries[name])) for name in names]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]


def _translate(text: str) -> str:
    return gettext.gettext(inspect.cleandoc(text))
