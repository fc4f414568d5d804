"""Collect an assignment and the course files it refers to, for use on another machine."""

from pathlib import PurePosixPath

from grader.assignment import Assignment, Opponent, render_assignment
from grader.inspection.opponents import entry_files, own_opponent
from grader.intake.files import ASSIGNMENT
from grader.sandbox.isolation import Level


def requiring_isolation(assignments: tuple[Assignment, ...], accepted: Level | None) -> tuple[Assignment, ...]:
    """The same assignments, which require at least the level good, because they are graded unattended, or less if accepted."""
    levels = [max(Level[each.isolation.upper()], Level.GOOD) for each in assignments]
    return tuple(
        each.model_copy(update={"isolation": str(level if accepted is None else min(level, accepted))})
        for each, level in zip(assignments, levels, strict=True)
    )


def course_folder(assignments: tuple[Assignment, ...]) -> dict[str, bytes]:
    """The assignment file and the files it refers to, by their path in one folder."""
    files: dict[str, bytes] = {}
    moved = [_relocate(assignment, files) for assignment in assignments]
    return {ASSIGNMENT: "---\n".join(map(render_assignment, moved)).encode(), **files}


def _relocate(assignment: Assignment, files: dict[str, bytes]) -> Assignment:
    """The assignment with paths relative to the folder. The files themselves are added to `files`."""
    game = assignment.rules
    changes: dict[str, object] = {
        "opponents": tuple(_relocate_opponent(assignment, opponent, files) for opponent in assignment.opponents),
        # The notes say why a student has an exception, which is confidential.
        "overrides": {id_: rule.model_copy(update={"note": None}) for id_, rule in assignment.overrides.items()},
    }
    if game.source is not None:
        files[game.file] = game.source.encode()
        changes["game"] = f"./{game.file}"
    return assignment.model_copy(update=changes)


def _relocate_opponent(assignment: Assignment, opponent: Opponent, files: dict[str, bytes]) -> Opponent:
    if not opponent.is_own:
        return opponent
    player = own_opponent(opponent.player, opponent.options, assignment.folder, opponent.name)
    entry = player.entry
    assert entry is not None
    folder = PurePosixPath("opponents", player.digest[:12], entry.root.name)
    for file in entry_files(entry):
        files[str(folder / file.as_posix())] = (entry.root / file).read_bytes()
    path = f"./{folder / entry.file.as_posix()}:{entry.name}"
    return opponent.model_copy(update={"player": path})
