"""`grader init DIR`."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from grader.cli.language import lang_option, speaker
from grader.language import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.assignment import Assignment
    from grader.kit import KitFile
    from grader.language import Language


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--game", type=click.Choice(["hex", "desconecta4"]), help="hex, unless the assignment is for another game."
)
@click.option(
    "-c",
    "--assignment",
    "assignment_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Make the kit of this assignment, and not of the built-in one.",
)
@click.option("--size", type=click.IntRange(1, 26), help="Of the Hex board, in place of the assignment's.")
@click.option(
    "--adjacency", type=click.Choice(["axial", "even-r"]), help="Of the Hex board, in place of the assignment's."
)
@click.option("--time", "move_time", type=click.FloatRange(0.01, 3600), help="Seconds for a move.")
@click.option("--force", is_flag=True, help="Write over files that are there.")
@lang_option
def init(
    folder: Path,
    game: str | None,
    assignment_file: Path | None,
    size: int | None,
    adjacency: str | None,
    move_time: float | None,
    force: bool,
) -> None:
    """Write a starter kit into DIR: handout/ for the students, and assignment.yaml for you."""
    from grader.kit import make

    assignment = _assignment(game, assignment_file)
    speak = speaker(assignment)
    options = {name: value for name, value in (("size", size), ("adjacency", adjacency)) if value is not None}
    adapted = _adapted(assignment, speak.name, options, move_time)
    files = make(adapted, speak.name)
    if adapted.model_copy(update={"language": assignment.language}) == assignment:
        files = tuple(file for file in files if not _is_same(folder / file.path, assignment_file))
    if not force:
        _check_that_nothing_is_lost(folder, files)
    for file in files:
        _write(folder / file.path, file.text)
    _say_what_is_next(folder, files, speak)


def _assignment(game: str | None, file: Path | None) -> "Assignment":
    """The one assignment that is meant."""
    from grader.assignment import builtin, load_assignments

    if file is None:
        return builtin(game or "hex")
    found = [assignment for assignment in load_assignments(file) if game in (None, assignment.game)]
    if not found:
        raise click.UsageError(
            say(
                "{file}: it has no assignment for {game}: leave --game out, or add one to it.",
                file=str(file),
                game=game or "",
            )
        )
    if len(found) > 1:
        raise click.UsageError(
            say("{file}: it has assignments for several games: say which one with --game.", file=str(file))
        )
    return found[0]


def _adapted(assignment: "Assignment", language: str, options: dict[str, Any], move_time: float | None) -> "Assignment":
    """The assignment with what the command line says otherwise."""
    from grader.assignment import MatchTime

    if options and assignment.game != "hex":
        raise click.UsageError(say("--size and --adjacency are of the Hex board: this assignment is for another game."))
    changes: dict[str, Any] = {"language": language, "options": {**assignment.options, **options}}
    if move_time is not None:
        time = assignment.time
        changes["time"] = MatchTime(move=move_time, load=time.load, grace=time.grace)
    return assignment.model_copy(update=changes)


def _is_same(file: Path, other: Path | None) -> bool:
    """Whether it is the assignment that the kit is made of: it stays as it is, comments and all."""
    return other is not None and file.exists() and file.samefile(other)


def _check_that_nothing_is_lost(folder: Path, files: "Sequence[KitFile]") -> None:
    there = [str(folder / file.path) for file in files if (folder / file.path).exists()]
    if there:
        raise click.UsageError(
            say(
                "{files}: there already, and left as they are. Name another folder, or write over them with --force.",
                files=", ".join(there),
            )
        )


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        hint = say("{problem}; name another folder", problem=str(error.strerror))
        raise click.FileError(str(path), hint) from error


def _say_what_is_next(folder: Path, files: "Sequence[KitFile]", speak: "Language") -> None:
    from grader.kit import ASSIGNMENT, HANDOUT

    click.echo(speak.say("Written:"))
    for file in files:
        click.echo(f"  {folder / file.path}")
    click.echo("\n" + speak.say("What to do next:"))
    steps = (
        say("Read {file}, and change what your course does otherwise.", file=str(folder / ASSIGNMENT)),
        say(
            "After a change, `{command}` makes the hand-out again.",
            command=f"grader init {quote(str(folder))} -c {quote(str(folder / ASSIGNMENT))} --force",
        ),
        say("Give {folder} to the students: it works without the grader, too.", folder=f"{folder / HANDOUT}/"),
        say(
            "Grade with `{command}`. A seed of your own (--seed) keeps the games from being known before.",
            command=f"grader run SUBMISSIONS/ -c {quote(str(folder / ASSIGNMENT))}",
        ),
    )
    for number, step in enumerate(steps, start=1):
        click.echo(f"  {number}. {speak(step)}")
