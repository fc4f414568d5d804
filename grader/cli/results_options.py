"""The argument and the option of commands that read a results folder."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import click

from grader.assignment import Assignment, AssignmentError, load_assignments
from grader.cli.help import argument
from grader.cli.options import assignment_option
from grader.cli.output import echo
from grader.competition.assignments import nearby_assignment
from grader.fixtures import Fixture
from grader.language import Language
from grader.results.changed_games import changed_games
from grader.store import Store

results_argument = argument(
    "results", "A results folder.", type=click.Path(exists=True, file_okay=False, path_type=Path)
)


def load_game(file: Path | None, *near: Path) -> tuple[Assignment, ...]:
    """Load the game of an assignment: of the one that was named, else of the one near these paths or in the working folder."""
    if file is not None:
        return load_assignments(file)
    if (found := nearby_assignment(*near)) is not None:
        with suppress(AssignmentError):  # it was not named, and may have nothing to do with these results
            return load_assignments(found, trusted=False)
    return ()


def warn_of_changed_games(store: Store, fixtures: Iterable[Fixture], speak: Language) -> None:
    """Print a warning if one of these games was changed after the results were saved."""
    if (problem := changed_games(store, fixtures)) is not None:
        echo(speak.say("Warning: {problem}", problem=problem), err=True)


def _load_game(_: click.Context, __: click.Parameter, assignment: Path | None) -> None:
    load_game(assignment)


known_game = assignment_option(
    "The assignment that defines your own game; needed only if the results come from another machine.",
    group="What to read",
    expose_value=False,
    callback=_load_game,
)
"""Lets a command that reads results load a course's own game: results hold only a digest of its code."""
