"""Find the assignments to use: those in the given file, or in one that is found, else the built-in ones."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.assignment import Assignment, Opponent, builtin_assignment, is_own_player, load_assignments
from grader.errors import OptionError
from grader.fixtures import opponent_text
from grader.games import find_game, installed_games
from grader.inspection.opponents import own_opponent
from grader.inspection.players import ResolvedPlayer, reference_player
from grader.intake.collect import FolderUse
from grader.intake.files import ASSIGNMENT
from grader.language import say
from grader.reading.tasks import folder_use
from grader.sandbox.isolation import Level
from grader.seeds import draw_seed

ACCEPT_ISOLATION = "GRADER_ACCEPT_ISOLATION"
"""The environment variable with the isolation level that runs and tournaments accept by default."""


@dataclass(frozen=True, slots=True)
class FoundAssignment:
    """The assignment file for some submissions."""

    file: Path | None = None
    """None for the built-in assignments."""
    ignored: Path | None = None
    """A file that does not count, because it belongs to a submission."""
    may_be_a_students: bool = False
    """Whether the file was found next to the only submission: its folder may be that submission."""


BUILT_IN = FoundAssignment()


def find_assignment(path: Path, *, single: bool | None = None) -> FoundAssignment:
    """The assignment file in the submissions' folder, else in the working folder, if there is one.

    A file in a folder that is itself a submission does not count: the student may have written it. Raises `OptionError` if
    there is also one in the working folder or above the submissions' folder.
    """
    here = Path(ASSIGNMENT).absolute()
    own = path / ASSIGNMENT if path.is_dir() else path.parent / ASSIGNMENT if path.parent == here.parent else None
    others = [file for file in (here, path.parent / ASSIGNMENT) if file.is_file() and file != own]
    if own is None or not own.is_file():
        return FoundAssignment(here if here in others else None)
    use = folder_use(own.parent, single=single if path.is_dir() else None)
    if use is FolderUse.SUBMISSION:
        return FoundAssignment(here if here in others else None, ignored=own)
    if path.is_dir() and others:
        raise OptionError(
            say(
                "Found two assignments: {one} and {other}. Choose one of them with -c.",
                one=relative_path(own),
                other=relative_path(others[0]),
            )
        )
    return FoundAssignment(own, may_be_a_students=use is FolderUse.CLASS_OF_ONE)


def nearby_assignment(*paths: Path) -> Path | None:
    """The assignment for players or records at these paths: in a given folder, in the folder that contains a path, or in the working folder."""
    near = [folder for path in paths for folder in (*([path] if path.is_dir() else []), path.parent)]
    folders = [*near, Path.cwd()]
    return next((folder / ASSIGNMENT for folder in folders if (folder / ASSIGNMENT).is_file()), None)


def read_assignments(
    file: Path | None, *, game: str | None = None, seed: int | None = None, trusted: bool = True
) -> tuple[Assignment, ...]:
    """The assignments in a file, or the built-in ones.

    `game` keeps only the assignment for that game. `trusted` means that a person named `file`; the game file of any other
    assignment runs only if it is known.
    """
    if file is None:
        names = [game] if game is not None else list(installed_games())
        assignments = tuple(builtin_assignment(name) for name in names)
    else:
        assignments = load_assignments(file, _unknown_players, trusted=trusted)
        if game is not None:
            assignments = _for_game(assignments, game, file)
    return assignments if seed is None else tuple(each.model_copy(update={"seed": seed}) for each in assignments)


def with_seeds(assignments: Sequence[Assignment], known: Mapping[str, int]) -> tuple[Assignment, ...]:
    """The same assignments with seeds: an assignment's own, else the one known for its game, else one drawn for all."""
    drawn = draw_seed()
    return tuple(
        each if each.seed is not None else each.model_copy(update={"seed": known.get(each.rules.name, drawn)})
        for each in assignments
    )


def accepted_level(name: str | None) -> Level | None:
    """The isolation level that is accepted: the given one, else that of the environment, else None. Raises `OptionError` for an unknown one."""
    name = name or os.environ.get(ACCEPT_ISOLATION) or None
    if name is None:
        return None
    if name.upper() not in Level.__members__:
        known = ", ".join(map(str, Level))
        raise OptionError(
            say("accept_isolation: unknown level {name}: choose from {known}", name=repr(name), known=known)
        )
    return Level[name.upper()]


def relative_path(file: Path) -> str:
    """The path of a file relative to the working folder, if it is below it."""
    try:
        return str(file.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(file)


def _for_game(assignments: tuple[Assignment, ...], game: str, file: Path) -> tuple[Assignment, ...]:
    name = find_game(game).name
    matching = tuple(assignment for assignment in assignments if assignment.rules.name == name)
    if not matching:
        raise OptionError(
            say(
                "{file} has no assignment for {game}: remove --game, or add one.",
                file=str(file),
                game=name,
            )
        )
    return matching


def _unknown_players(assignment: Assignment) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The opponents that cannot be found, with their path in the file."""
    for at, opponent in enumerate(assignment.opponents):
        try:
            resolve_opponent(assignment, opponent)
        except OptionError as error:
            yield ("opponents", at, "player"), error.text


def resolve_opponent(assignment: Assignment, opponent: Opponent) -> ResolvedPlayer:
    """Find the code of an opponent. Raises `OptionError` if there is none."""
    if opponent.is_own:
        return own_opponent(opponent.player, opponent.options, assignment.folder, opponent.name)
    try:
        return reference_player(opponent_text(opponent), assignment.rules)
    except OptionError as error:
        near = [name for name in (opponent.player, f"{opponent.player}.py") if (assignment.folder / name).exists()]
        if not near:
            raise
        raise OptionError(
            say("{problem} To use the file in your folder, write ./{name}.", problem=error.text, name=near[0])
        ) from None


def with_anchors(assignments: tuple[Assignment, ...], anchors: tuple[str, ...]) -> tuple[Assignment, ...]:
    """The same assignments with the reference players of a tournament as their opponents."""
    opponents = {assignment.rules.name: list[Opponent]() for assignment in assignments}
    for text in dict.fromkeys(anchors):
        errors: list[OptionError] = []
        for assignment in assignments:
            own = opponents[assignment.rules.name]
            try:
                own.append(_anchor(text, assignment))
            except OptionError as error:
                errors.append(error)
            if len({opponent.name for opponent in own}) < len(own):
                raise OptionError(
                    say("--anchor {text}: another --anchor is also called {name}.", text=text, name=own[-1].name)
                )
        if len(errors) == len(assignments):
            raise OptionError(say("--anchor {text}: {problem}", text=text, problem=errors[0].text))
    return tuple(
        assignment.model_copy(update={"opponents": tuple(opponents[assignment.rules.name])})
        for assignment in assignments
    )


def _anchor(text: str, assignment: Assignment) -> Opponent:
    """A reference player of a tournament, as an opponent without points. Raises `OptionError` for another game's."""
    if is_own_player(text):
        path, _, name = text.partition(":") if ".py:" in text else (text, "", "")
        written = f"{Path(path).resolve()}{':' if name else ''}{name}"  # relative to the working folder, not to the assignment
        opponent = Opponent.model_validate({"player": written, "points": 0, "games": 2})
        entry = resolve_opponent(assignment, opponent).entry
        if entry is not None and entry.game not in (None, assignment.rules.name):
            raise OptionError(say("{name} is written for {game}", name=opponent.name, game=str(entry.game)))
        return opponent
    player = reference_player(text, assignment.rules)
    assert player.entry is not None
    return Opponent.model_validate(
        {"player": player.entry.file.stem, "options": dict(player.options), "points": 0, "games": 2}
    )
