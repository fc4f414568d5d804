"""The commands. The only place that prints and exits.

Each command is a module beside this one; what it needs is imported when it runs, so that `grader --help` is quick.
"""

import io
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from grader import __version__
from grader.cli.language import current_language, lang_option, set_up_language, translate_command
from grader.errors import GraderError, IsolationError

COMMANDS = (
    "run",
    "check",
    "match",
    "play",
    "tournament",
    "report",
    "replay",
    "show",
    "verify",
    "regrade",
    "export",
    "similarity",
    "init",
    "game",
    "ladder-test",
    "doctor",
    "list",
)
"""Each is in a module of its name, in the order in which they are shown."""

EXIT_PROBLEM, EXIT_USAGE, EXIT_ISOLATION, EXIT_INTERRUPTED = 1, 2, 3, 130
"""1: something could not be graded, or is not as it should be; the command says what."""


class Commands(click.Group):
    """Finds the commands, and turns what can go wrong into a sentence and an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click says it
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  click says it
        """The command of that name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        name = "list_" if cmd_name == "list" else cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"grader.cli.{name}"), name)
        return translate_command(command)

    def main(self, args: Sequence[str] | None = None, *more: Any, **kwargs: Any) -> Any:
        """Run the command that was asked for."""
        kwargs["standalone_mode"] = False
        arguments = sys.argv[1:] if args is None else args
        _replace_unprintable_letters()
        set_up_language(arguments)
        try:
            sys.exit(click.Group.main(translate_command(self), arguments, *more, **kwargs) or 0)
        except click.ClickException as error:
            error.message = current_language()(error.message)  # type: ignore[misc]  # click has it final, and shows nothing else
            error.show()
            sys.exit(error.exit_code)
        except (click.Abort, KeyboardInterrupt) as stop:
            why = stop.__cause__ or stop  # click wraps what was raised
            click.echo(" ".join([current_language().say("Interrupted."), *map(current_language(), why.args)]), err=True)
            sys.exit(EXIT_INTERRUPTED)
        except GraderError as error:
            click.echo(f"grader: {error.translate(current_language())}", err=True)
            sys.exit(_status(error))
        except BrokenPipeError:  # the reader of our output has gone, as `head` does
            sys.stderr.close()
            sys.exit(0)


def _status(error: GraderError) -> int:
    if isinstance(error, IsolationError):
        return EXIT_ISOLATION
    return EXIT_USAGE if isinstance(error, ValueError) else EXIT_PROBLEM


def _replace_unprintable_letters() -> None:
    """Show a letter that the terminal does not know as a question mark, rather than end over it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grader")
@lang_option
def main() -> None:
    """Grade game-playing agents: students' players against a course's reference players."""
