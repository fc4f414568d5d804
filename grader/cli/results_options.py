"""The argument and the option of commands that read a results folder."""

from contextlib import suppress
from pathlib import Path

import click

from grader.assignment import AssignmentError, load_assignments
from grader.cli.help import argument
from grader.cli.options import assignment_option

results_argument = argument(
    "results", "A results folder.", type=click.Path(exists=True, file_okay=False, path_type=Path)
)


def _load_game(_: click.Context, __: click.Parameter, assignment: Path | None) -> None:
    """Load the game of an assignment: of the one that was named, else of `assignment.yaml` in the working folder."""
    here = Path("assignment.yaml")
    if assignment is not None:
        load_assignments(assignment)
    elif here.is_file():
        with suppress(AssignmentError):  # it was not named, and may have nothing to do with these results
            load_assignments(here, trusted=False)


known_game = assignment_option(
    "Only for results of your own game from another machine: the assignment that defines it.",
    group="What to read",
    expose_value=False,
    callback=_load_game,
)
"""Lets a command that reads results load a course's own game: results hold only a digest of its code."""
