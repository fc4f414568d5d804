"""The command line: the only part that prints and exits.

Each command is a module in this package, imported when it is used. The table of summaries makes `grader --help` quick.
"""

import io
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from grader import __version__
from grader.cli.help import GENERAL, CliGroup, CliOption
from grader.cli.language import current_language, lang_option, set_up_language
from grader.cli.output import print_traceback, show_usage_error
from grader.errors import GraderError, IsolationError

SUMMARIES = {
    "run": "Grade submissions against reference players.",
    "check": "Check one player before it is submitted.",
    "match": "Play one or more games between two players.",
    "play": "Play against a player yourself.",
    "tournament": "Run a tournament between the submissions and rate them.",
    "report": "Regenerate the reports of a run, without playing.",
    "replay": "Step through a recorded game.",
    "show": "Show everything behind the grade of a submission.",
    "verify": "Check that moves are legal and grades match the games.",
    "regrade": "Play the games of a submission again and compare.",
    "export": "Export grades to Moodle, Canvas, Gradescope, GitHub or JUnit.",
    "similarity": "Find submissions that share code.",
    "init": "Write a starter kit: an assignment and a student handout.",
    "game": "Test the rules of your own game.",
    "ladder-test": "Test whether each opponent is stronger than the one before.",
    "doctor": "Show which isolation levels this machine supports.",
    "list": "List the games and the reference players.",
}
"""The commands in the order in which help lists them, each short enough for one line of 80 columns."""

EXIT_PROBLEM, EXIT_USAGE, EXIT_ISOLATION, EXIT_INTERRUPTED = 1, 2, 3, 130
"""1: something could not be graded, or has a problem that the command describes."""


class MainGroup(CliGroup):
    """Imports the command that was named, and turns errors into a message and an exit status."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  click's signature
        """The command of that name, imported now."""
        if cmd_name not in self.summaries:
            return None
        name = "list_" if cmd_name == "list" else cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"grader.cli.{name}"), name)
        return command

    def main(self, args: Sequence[str] | None = None, *more: Any, **kwargs: Any) -> Any:
        """Run a command line and exit."""
        kwargs["standalone_mode"] = False
        arguments = _expand_help(sys.argv[1:] if args is None else args)
        _replace_unprintable_letters()
        sys.excepthook = print_traceback
        set_up_language(arguments)
        try:
            sys.exit(super().main(arguments, *more, **kwargs) or 0)
        except click.ClickException as error:
            error.message = current_language()(error.message)  # type: ignore[misc]  # final in click, but read only now
            show_usage_error(error)
            sys.exit(error.exit_code)
        except (click.Abort, KeyboardInterrupt) as stop:
            cause = stop.__cause__ or stop  # click wraps the exception
            text = " ".join([current_language().say("Interrupted."), *map(current_language(), cause.args)])
            _print_wrapped(text)
            # If Ctrl-C hits code that `exec` runs from a text, as `dataclass` does, Python marks the process as killed by the
            # signal, even though we handle it. The next such code removes the mark.
            exec("")  # noqa: S102
            sys.exit(EXIT_INTERRUPTED)
        except GraderError as error:
            _print_wrapped(f"grader: {error.translate(current_language())}")
            sys.exit(_status(error))
        except BrokenPipeError:  # the program that read our output has ended, as `head` does
            sys.stderr.close()
            sys.exit(0)


def _print_wrapped(text: str) -> None:
    """Print an error or the reason for an end."""
    from grader.cli.terminal import echo_wrapped  # here: `grader --help` does not need it

    echo_wrapped(text, err=True)


def _expand_help(arguments: Sequence[str]) -> list[str]:
    """`grader help run` means `grader run --help`."""
    return [*arguments[1:], "--help"] if arguments and arguments[0] == "help" else list(arguments)


def _status(error: GraderError) -> int:
    if isinstance(error, IsolationError):
        return EXIT_ISOLATION
    return EXIT_USAGE if isinstance(error, ValueError) else EXIT_PROBLEM


def _replace_unprintable_letters() -> None:
    """Print a question mark for a letter that the terminal's encoding does not have, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@click.group(
    cls=MainGroup,
    summaries=SUMMARIES,
    examples=[
        ("Write an assignment and a handout for your own game", "grader init course --game my_game.py"),
        ("Grade a folder of submissions", "grader run submissions/ -c course/assignment.yaml"),
        ("Show the help for a command, with examples", "grader run --help"),
        ("Turn on Tab completion in bash (also: zsh, fish)", 'eval "$(_GRADER_COMPLETE=bash_source grader)"'),
    ],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="grader", cls=CliOption, group=GENERAL, help="Show the version and exit.")
@lang_option
def main() -> None:
    """Grade students' game-playing agents by playing them against a course's opponents."""
