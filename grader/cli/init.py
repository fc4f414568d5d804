"""`grader init DIR`."""

import os
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from grader.cli.language import lang_option, speaker
from grader.cli.options import FOLDER, assignment_option, game_option, game_options_by_name, parse_game_options
from grader.games import is_file
from grader.language import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.assignment import Assignment
    from grader.kit import KitFile
    from grader.language import Language


@click.command()
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option(
    "--game",
    metavar="GAME",
    help="The game, by name or in a file (default: the assignment's, else the first installed).",
)
@assignment_option("Make the kit of this assignment instead of the built-in one.")
@game_option
@game_options_by_name
@click.option("--time", "move_time", type=click.FloatRange(0.01, 3600), help="Seconds per move.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@lang_option
def init(
    folder: Path,
    game: str | None,
    assignment_file: Path | None,
    options: tuple[str, ...],
    move_time: float | None,
    force: bool,
    **by_name: str | None,
) -> None:
    """Write a starter kit into DIR: handout/ for the students, and assignment.yaml for you."""
    from grader.kit import make_kit

    assignment = _assignment(game, assignment_file)
    speak = speaker(assignment)
    given = [*options, *(f"{name}={value}" for name, value in by_name.items() if value is not None)]
    adapted = _adapt(assignment, speak.name, parse_game_options(given), move_time)
    adapted = _relocate(adapted, folder)
    files = make_kit(adapted, speak.name)
    if adapted.model_copy(update={"language": assignment.language}) == assignment:
        files = tuple(file for file in files if not _is_same(folder / file.path, assignment_file))
    if not force:
        _refuse_to_overwrite(folder, files)
    for file in files:
        _write(folder / file.path, file.text)
    _say_what_is_next(folder, files, speak)


def _assignment(game: str | None, file: Path | None) -> "Assignment":
    """The one assignment that is meant."""
    from grader.assignment import builtin_assignment, load_assignments
    from grader.games import find_game, installed_games

    if file is None:
        return builtin_assignment(game or next(iter(installed_games())))
    name = find_game(game).name if game is not None else None
    found = [assignment for assignment in load_assignments(file) if name in (None, assignment.rules.name)]
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


def _adapt(assignment: "Assignment", language: str, options: dict[str, Any], move_time: float | None) -> "Assignment":
    """The assignment with what the command line says otherwise."""
    from grader.assignment import MatchTime

    changes: dict[str, Any] = {"language": language}
    if move_time is not None:
        time = assignment.time
        changes["time"] = MatchTime(move=move_time, load=time.load, grace=time.grace)
    return assignment.with_options({**assignment.options, **options}).model_copy(update=changes)


def _relocate(assignment: "Assignment", folder: Path) -> "Assignment":
    """The same for a file in another folder: the files that it names are where they were."""

    def relative(text: str, root: Path) -> str:
        path, _, name = text.partition(":") if ".py:" in text else (text, "", "")
        written = Path(os.path.relpath(root / path, folder)).as_posix()
        return f"{written if written.startswith('.') else f'./{written}'}{':' if name else ''}{name}"

    opponents = tuple(
        one.model_copy(update={"player": relative(one.player, assignment.folder)}) if one.is_own else one
        for one in assignment.opponents
    )
    game = relative(assignment.game, assignment.folder) if is_file(assignment.game) else assignment.game
    return assignment.model_copy(update={"opponents": opponents, "game": game})


def _is_same(file: Path, other: Path | None) -> bool:
    """Whether it is the assignment that the kit is made of: it stays as it is, comments and all."""
    return other is not None and file.exists() and file.samefile(other)


def _refuse_to_overwrite(folder: Path, files: "Sequence[KitFile]") -> None:
    there = [str(folder / file.path) for file in files if (folder / file.path).exists()]
    if there:
        raise click.UsageError(
            say(
                "{files} already exist and were kept. Choose another folder, or overwrite with --force.",
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
        say("Edit {file} to fit your course.", file=str(folder / ASSIGNMENT)),
        say(
            "After a change, `{command}` updates the hand-out.",
            command=f"grader init {quote(str(folder))} -c {quote(str(folder / ASSIGNMENT))} --force",
        ),
        say("Give {folder} to the students.", folder=f"{folder / HANDOUT}/"),
        say(
            "Grade with `{command}`. Use your own --seed so that students cannot predict the games.",
            command=f"grader run SUBMISSIONS/ -c {quote(str(folder / ASSIGNMENT))}",
        ),
    )
    for number, step in enumerate(steps, start=1):
        click.echo(f"  {number}. {speak(step)}")
