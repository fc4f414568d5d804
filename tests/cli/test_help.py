"""What `--help` shows, in every language: complete summaries, grouped options and valid examples."""

import json
import os
import shlex
import subprocess
import sys

import click
import pytest

from grader.cli.help import CliArgument, CliCommand, CliGroup, CliOption
from grader.language import LANGUAGES
from tests.command import PROJECT, grader
from tests.language.sources import commands

COMMANDS = dict(commands())
GROUPS = {name: command for name, command in COMMANDS.items() if isinstance(command, CliGroup)}

PRINT_ALL = """
import json, click
from grader.cli.language import set_up_language
set_up_language([])
from tests.language.sources import commands
names = ["-h", "--help"]
print(json.dumps({
    name: command.get_help(click.Context(command, info_name=name, help_option_names=names)) for name, command in commands()
}))
"""
"""Prints the help of all commands, in one process because that is much faster."""


@pytest.fixture(scope="module", params=LANGUAGES)
def pages(request):
    """The help of each command in one language, as on a terminal of 80 columns."""
    environment = {**os.environ, "LANGUAGE": request.param, "COLUMNS": "80"}
    printed = subprocess.run(
        [sys.executable, "-c", PRINT_ALL], capture_output=True, check=True, cwd=PROJECT, env=environment
    )
    return json.loads(printed.stdout)


def test_no_line_is_wider_than_a_terminal(pages):
    assert [line for page in pages.values() for line in page.splitlines() if len(line) > 80] == []


def test_no_summary_is_cut_or_wrapped(pages):
    for name, group in GROUPS.items():
        section = next(block for block in pages[name].split("\n\n") if block.startswith(("Commands:", "Comandos:")))
        _, *rows = section.splitlines()
        assert [row.split()[0] for row in rows] == list(group.summaries)
        assert all(row.endswith(".") and not row.endswith("...") for row in rows)


def test_the_summaries_are_those_of_the_commands_that_exist():
    for name, group in GROUPS.items():
        for inner in group.summaries:
            assert f"{name} {inner}" in COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_and_option_is_described_and_has_a_group(name):
    for param in COMMANDS[name].params:
        assert isinstance(param, CliArgument | CliOption)
        if isinstance(param, CliOption):
            assert param.help and param.help.endswith("."), param.opts
            assert param.group
        else:
            assert param.description.endswith("."), param.name


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_are_valid_command_lines(name):
    command = COMMANDS[name]
    assert isinstance(command, CliCommand | CliGroup)
    assert len(command.examples) >= 2
    for _, line in command.examples:
        words = shlex.split(line)
        if words[0] != "grader":  # shell completion is turned on by a command of the shell
            continue
        called = max((known for known in COMMANDS if words[: len(known.split())] == known.split()), key=len)
        parser = COMMANDS[called].make_parser(click.Context(COMMANDS[called]))
        parser.parse_args(words[len(called.split()) :])


def test_options_are_grouped():
    shown = grader("run", "--help").stdout
    titles = [line for line in shown.splitlines() if line.endswith(":") and not line.startswith(" ")]

    assert titles == [
        *("Arguments:", "What to grade:", "What to play:", "Where to run:", "Output:", "General:", "Examples:")
    ]


def test_the_list_of_commands_is_shown_without_importing_them():
    code = (
        "import sys; from grader.cli import main\n"
        "try: main(['--help'])\n"
        "finally: print(*sorted(sys.modules), file=sys.stderr)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT)
    loaded = set(shown.stderr.split())

    assert "Grade submissions" in shown.stdout
    expected = {"grader.cli.help", "grader.cli.language", "grader.cli.output"}
    assert {name for name in loaded if name.startswith("grader.cli.")} == expected
    assert not loaded & {"jinja2", "numpy", "pydantic", "rich", "sqlite3", "tabulate", "yaml"}


@pytest.mark.parametrize(
    ("arguments", "language", "message"),
    [
        (("rum",), "en", "No such command 'rum'. Did you mean 'run'?"),
        (("rum",), "es", "No existe el comando 'rum'. ¿Querías decir 'run'?"),
        (("export", "moodel"), "en", "No such command 'moodel'. Did you mean 'moodle'?"),
        (("zzzz",), "en", "No such command 'zzzz'."),
    ],
)
def test_a_mistyped_command_exits_with_2_and_suggests_a_similar_one(arguments, language, message):
    answer = grader(*arguments, "--lang", language)

    assert answer.returncode == 2
    assert answer.stderr.endswith(f"Error: {message}\n")


def test_help_can_be_asked_for_by_a_word():
    assert grader("help", "export", "moodle").stdout == grader("export", "moodle", "--help").stdout
    assert grader("help").stdout == grader("--help").stdout
