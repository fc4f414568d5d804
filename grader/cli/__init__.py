"""The commands. The only place that prints and exits.

Each command is a module beside this one; what it needs is imported when it runs, so that `grader --help` is quick.
"""

import sys
from typing import Any

import click

from grader import __version__
from grader.cli.doctor import doctor
from grader.cli.listing import list_
from grader.cli.match import match
from grader.cli.run import report, run
from grader.errors import GraderError, IsolationError

EXIT_UNGRADED, EXIT_USAGE, EXIT_ISOLATION, EXIT_INTERRUPTED = 1, 2, 3, 130


class Commands(click.Group):
    """Turns what can go wrong into a sentence and an exit status."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command that was asked for."""
        kwargs["standalone_mode"] = False
        try:
            sys.exit(super().main(*args, **kwargs) or 0)
        except click.ClickException as error:
            error.show()
            sys.exit(error.exit_code)
        except (click.Abort, KeyboardInterrupt) as stop:
            click.echo(f"Interrupted. {stop.__cause__ or ''}".rstrip(), err=True)  # click wraps what was raised
            sys.exit(EXIT_INTERRUPTED)
        except IsolationError as error:
            click.echo(f"grader: {error}", err=True)
            sys.exit(EXIT_ISOLATION)
        except GraderError as error:
            click.echo(f"grader: {error}", err=True)
            sys.exit(EXIT_USAGE if isinstance(error, ValueError) else EXIT_UNGRADED)
        except BrokenPipeError:  # the reader of our output has gone, as `head` does
            sys.stderr.close()
            sys.exit(0)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grader")
def main() -> None:
    """Grade game-playing agents: students' players against a course's reference players."""


for command in (run, match, report, doctor, list_):
    main.add_command(command)
