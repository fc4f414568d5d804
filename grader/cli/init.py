"""`grader init DIR`: write a starter kit."""

import os
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any

import click

from grader.assignment import Assignment, builtin_assignment, load_assignments
from grader.cli.help import argument, command, option
from grader.cli.language import lang_option, speaker
from grader.cli.options import (
    FOLDER,
    OUTPUT,
    WHAT_TO_PLAY,
    assignment_option,
    game_name_option,
    game_option,
    game_options_by_name,
    parse_game_options,
)
from grader.cli.output import echo
from grader.games import find_game, installed_games, is_file
from grader.intake.files import ASSIGNMENT
from grader.kit import HANDOUT, KitFile, make_kit
from grader.language import Language, say
from grader.sandbox.speed import measure_speed


@command(
    examples=[
        ("A kit for your own game with 5 s per move", "grader init course --game my_game.py --time 5"),
        (
            "Update the handout after changing the assignment",
            "grader init course -c course/assignment.yaml --force",
        ),
    ]
)
@argument("folder", "The folder to write to.", metavar="DIR", type=FOLDER)
@game_name_option("The game, by name or in a file (default: the assignment's, else the first installed).")
@assignment_option("Make a kit for this assignment instead of the built-in one.")
@game_option
@game_options_by_name
@option(
    "--time",
    "move_time",
    group=WHAT_TO_PLAY,
    type=click.FloatRange(0.01, 3600),
    help="Seconds per move (default: the assignment's).",
)
@option(
    "--this-machine",
    group=WHAT_TO_PLAY,
    is_flag=True,
    help="Write the speed of this machine into the assignment, so that students can compare theirs: you grade on it.",
)
@option("--force", group=OUTPUT, is_flag=True, help="Overwrite existing files.")
@lang_option
def init(
    folder: Path,
    game: str | None,
    assignment_file: Path | None,
    options: tuple[str, ...],
    move_time: float | None,
    this_machine: bool,
    force: bool,
    **by_name: str | None,
) -> None:
    """Write a starter kit into DIR: handout/ for the students, and assignment.yaml for you."""
    assignment = _assignment(game, assignment_file)
    speak = speaker(assignment)
    values = [*options, *(f"{name}={value}" for name, value in by_name.items() if value is not None)]
    adapted = _adapt(assignment, speak.name, parse_game_options(values), move_time)
    adapted = _relocate(_with_speed(adapted) if this_machine else adapted, folder)
    files = make_kit(adapted, speak.name)
    if adapted.model_copy(update={"language": assignment.language}) == assignment:
        files = tuple(file for file in files if not _is_same(folder / file.path, assignment_file))
    if not force:
        _refuse_to_overwrite(folder, files)
    for file in files:
        _write(folder / file.path, file.text)
    _show_next_steps(folder, files, speak)


def _assignment(game: str | None, file: Path | None) -> Assignment:
    """The assignment to make a kit of."""
    if file is None:
        return builtin_assignment(game or next(iter(installed_games())))
    name = find_game(game).name if game is not None else None
    found = [assignment for assignment in load_assignments(file) if name in (None, assignment.rules.name)]
    if not found:
        raise click.UsageError(
            say("{file} has no assignment for {game}: leave out --game, or add one.", file=str(file), game=game or "")
        )
    if len(found) > 1:
        raise click.UsageError(say("{file} has assignments for several games: choose one with --game.", file=str(file)))
    return found[0]


def _adapt(assignment: Assignment, language: str, options: dict[str, Any], move_time: float | None) -> Assignment:
    """The assignment, changed as the command line says."""
    changes: dict[str, Any] = {"language": language}
    if move_time is not None:
        time = assignment.time
        changes["time"] = time.model_copy(update={"move": move_time, "bank": None, "increment": 0.0})
    return assignment.with_options({**assignment.options, **options}).model_copy(update=changes)


def _with_speed(assignment: Assignment) -> Assignment:
    """A copy with the speed of this machine, for `check`. Raises `UsageError` if limits are scaled to each machine anyway."""
    if assignment.time.reference_speed is not None:
        raise click.UsageError(
            say("--this-machine has no effect with reference_speed, which scales the limits everywhere: leave it out.")
        )
    time = assignment.time.model_copy(update={"machine_speed": measure_speed()})
    return assignment.model_copy(update={"time": time})


def _relocate(assignment: Assignment, folder: Path) -> Assignment:
    """The same assignment for a file in another folder, with adjusted paths."""

    def relative(text: str, root: Path) -> str:
        path, _, name = text.partition(":") if ".py:" in text else (text, "", "")
        written = Path(os.path.relpath(root / path, folder)).as_posix()
        return f"{written if written.startswith('.') else f'./{written}'}{':' if name else ''}{name}"

    opponents = tuple(
        opponent.model_copy(update={"player": relative(opponent.player, assignment.folder)})
        if opponent.is_own
        else opponent
        for opponent in assignment.opponents
    )
    game = relative(assignment.game, assignment.folder) if is_file(assignment.game) else assignment.game
    return assignment.model_copy(update={"opponents": opponents, "game": game})


def _is_same(file: Path, other: Path | None) -> bool:
    """Whether a file is the assignment that the kit is made of. That one is left unchanged, with its comments."""
    return other is not None and file.exists() and file.samefile(other)


def _refuse_to_overwrite(folder: Path, files: Sequence[KitFile]) -> None:
    existing = [str(folder / file.path) for file in files if (folder / file.path).exists()]
    if existing:
        raise click.UsageError(
            say(
                "{files} already exists and was kept. Choose another folder, or overwrite with --force.",
                "{files} already exist and were kept. Choose another folder, or overwrite with --force.",
                n=len(existing),
                files=", ".join(existing),
            )
        )


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        hint = say("{problem}; choose another folder", problem=str(error.strerror))
        raise click.FileError(str(path), hint) from error


def _show_next_steps(folder: Path, files: Sequence[KitFile], speak: Language) -> None:
    echo(speak.say("Created:"))
    for file in files:
        echo(f"  {folder / file.path}")
    echo("\n" + speak.say("Next steps:"))
    steps = (
        say("Edit {file} to fit your course.", file=str(folder / ASSIGNMENT)),
        say(
            "After a change, update the handout with `{command}`.",
            command=f"grader init {quote(str(folder))} -c {quote(str(folder / ASSIGNMENT))} --force",
        ),
        say("Give {folder} to the students.", folder=f"{folder / HANDOUT}/"),
        say(
            "Grade with `{command}`. Each new results folder gets its own random games, which students cannot predict.",
            command=f"grader run SUBMISSIONS/ -c {quote(str(folder / ASSIGNMENT))}",
        ),
    )
    for number, step in enumerate(steps, start=1):
        echo(f"  {number}. {speak(step)}")
