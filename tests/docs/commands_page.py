"""`docs/reference/commands.md`, made from the commands themselves."""

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import click

from grader.cli import main

INTRO = """\
# Commands

This page is generated from the commands' own help: `grader COMMAND --help` prints the same, and `--lang es` prints it in Spanish.

Every command takes `--help` (`-h`), and `--lang en` or `--lang es` for the language of what it prints and writes. By default
that is the assignment's `language`, else the system's. `grader --version` prints the version. With
[shell completion](../students/install.md#shell-completion), the Tab key completes commands, options, games, players and ids.

| exit status | meaning |
|---:|---|
| 0 | done, whatever the grades are; `grader check`: ready to submit |
| 1 | something could not be graded, exported or verified, or `grader check` found a problem to fix |
| 2 | a usage error, or a mistake in the assignment |
| 3 | the required isolation level is not available |
| 130 | interrupted; the same command resumes |
"""
EXAMPLES_ARE_NOT_RUN = "<!-- not run: examples from the command's own help -->"


def render() -> str:
    """The whole page."""
    root = click.Context(main, info_name="grader")
    commands = [_command(main, name, root) for name in main.list_commands(root)]
    overview = ["| command | what it does |", "|---|---|"]
    for command, context in commands:
        name = context.command_path
        summary = getattr(main, "summaries", {}).get(context.info_name) or command.get_short_help_str(limit=300)
        overview.append(f"| [`{name}`](#{name.replace(' ', '-')}) | {_cell(summary)} |")
    sections = [text for command, context in commands for text in _sections(command, context, level=2)]
    return "\n".join([INTRO, *overview, "", *sections]).rstrip() + "\n"


def _command(group: click.Group, name: str, parent: click.Context) -> tuple[click.Command, click.Context]:
    command = group.get_command(parent, name)
    assert command is not None, name
    return command, click.Context(command, info_name=name, parent=parent)


def _sections(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    """A command, and below it the commands of a group."""
    yield f"{'#' * level} {context.command_path}\n"
    yield from _paragraphs(command.help)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```\n"
    yield from _tables(command)
    yield from _examples(command)
    yield from _paragraphs(command.epilog)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from _sections(*_command(command, name, context), level=level + 1)


def _tables(command: click.Command) -> Iterator[str]:
    """The arguments that are described, and the options, a table for each group of them."""
    groups: dict[str, list[str]] = {}
    for param in command.params:
        if isinstance(param, click.Option):
            if not param.hidden and "--lang" not in param.opts:
                row = f"| {_names(param)} | {_meaning(param)} |"
                groups.setdefault(getattr(param, "group", "Options"), []).append(row)
        elif description := getattr(param, "description", ""):
            groups.setdefault("Arguments", []).append(f"| *{param.human_readable_name}* | {_cell(description)} |")
    for title, rows in groups.items():
        yield "\n".join([f"| {_cell(title)} | |", "|---|---|", *rows, ""])


def _examples(command: click.Command) -> Iterator[str]:
    """The examples of its help: comments and command lines."""
    examples: Sequence[tuple[str, str]] = getattr(command, "examples", ())
    if examples:
        lines = [line for comment, example in examples for line in (f"# {comment}", example)]
        yield "\n".join([EXAMPLES_ARE_NOT_RUN, "```sh", *lines, "```", ""])


def _paragraphs(text: str | None) -> Iterator[str]:
    """Click's help as Markdown: what it would wrap is a paragraph, and what it prints as it is becomes a block."""
    for part in inspect.cleandoc(text or "").split("\n\n"):
        if part.startswith("\b"):
            block = inspect.cleandoc(part.removeprefix("\b").strip("\n"))
            is_shell = any(line.startswith("grader ") for line in block.splitlines())
            above = f"{EXAMPLES_ARE_NOT_RUN}\n" if is_shell else ""
            yield f"{above}```{'sh' if is_shell else 'text'}\n{block}\n```\n"
        elif part.strip():
            yield f"{_escape(part)}\n"


def _names(option: click.Option) -> str:
    names = " or ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = _value(option)
    return f"{names} {value}".rstrip()


def _value(option: click.Option) -> str:
    if option.is_flag or option.count:
        return ""
    kind: Any = option.type
    if option.metavar:
        return f"*{_cell(option.metavar)}*"
    if isinstance(kind, click.Choice):
        return " \\| ".join(f"`{choice}`" for choice in kind.choices)
    name = kind.name.partition(" ")[0]  # "integer" for a click.IntRange
    return f"*{'NUMBER' if name == 'float' else name.upper()}*"


def _meaning(option: click.Option) -> str:
    text = _cell(option.help or "")
    notes = []
    if option.required:
        notes.append("required")
    if option.multiple and "several times" not in text and "repeated" not in text:
        notes.append("may be repeated")
    kind: Any = option.type
    if isinstance(kind, click.IntRange | click.FloatRange):
        notes.append(
            " ".join(
                f"{word} {_number(end)}" for word, end in (("from", kind.min), ("to", kind.max)) if end is not None
            )
        )
    if _has_default(option) and "default" not in text.lower():
        notes.append(f"default: `{option.default}`")
    return f"{text} ({'; '.join(notes)})" if notes else text


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def _has_default(option: click.Option) -> bool:
    return bool(option.show_default) and not option.is_flag and option.default is not None


def _cell(text: str) -> str:
    return _escape(" ".join(text.split())).replace("|", "\\|")


def _escape(text: str) -> str:
    return text.replace("<", "&lt;").replace("*", "\\*")
