"""What is checked: the player at a path, found as the official run finds it, and the assignment that it is for."""

import os
import sys
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from grader.assignment import Assignment
from grader.competition.assignments import ASSIGNMENT, assignment_file, read_assignments_for
from grader.competition.gauntlet import gauntlet_fixtures
from grader.competition.prepare import inspect_submission, resolve_opponents
from grader.competition.records import Entrant, Prepared, Request
from grader.competition.seating import assignment_limits
from grader.errors import IsolationError, OptionError
from grader.fixtures import Fixture
from grader.games import Game
from grader.inspection.entry import Entry
from grader.intake.collect import IntakeError, Submission, collect
from grader.intake.names import printable, safe_id
from grader.kit import is_course_file
from grader.language import say
from grader.records import Finding
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits
from grader.sandbox.machine import best_level
from grader.source.facts import Source
from grader.source.reading import read_source


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest:
    """What a student asks for."""

    path: Path
    assignment_file: Path | None = None
    game: str | None = None
    seed: int | None = None
    level: Level | None = None
    """How to wall the player in; the best that this machine offers if None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSubject:
    """A player that can be checked, or, without an entry, the reason why there is none."""

    name: str
    """Of the file or folder that was named."""
    prepared: Prepared
    """A run with this player alone."""
    fixtures: tuple[Fixture, ...]
    """The games of that run."""
    limits: Limits
    required: Level
    """What the official run demands; here nothing is demanded, so that a check works on any machine."""
    source: str
    """Where the assignment comes from."""

    @property
    def assignment(self) -> Assignment:
        """The assignment in force, with no demand for isolation."""
        return self.entrant.assignment

    @property
    def entrant(self) -> Entrant:
        """The submission with its player."""
        return self.prepared.entrants[0]

    @property
    def game(self) -> Game:
        """The game that it plays."""
        return self.assignment.rules

    @property
    def level(self) -> Level:
        """The isolation level of this check."""
        return self.prepared.level


def find_subject(request: CheckRequest, staging: Path) -> CheckSubject:
    """The player at a path, with a copy of its files below `staging`. Raises with a sentence where there can be none."""
    path = request.path.resolve()
    if not path.exists():
        raise OptionError(
            say(
                "{path}: there is no such file or folder. Name the file, the folder or the zip of your player.",
                path=str(request.path),
            )
        )
    level = _check_level(request)
    file = request.assignment_file or _nearby_assignment(path) or assignment_file(path)
    assignments = read_assignments_for(
        path, file, game=request.game, seed=request.seed, named=request.assignment_file is not None
    )
    alone = path.is_file() and path.suffix.lower() == ".py"
    submission = _single_file(path) if alone else _single_submission(path, staging)
    entry, findings, official = inspect_submission(submission, path if alone else submission.folder, assignments)
    imported = entry.readable if entry is not None and alone else ()
    beside = _files_named_by(entry) if entry is not None and alone else ()
    if entry is not None:
        entry = replace(entry, readable=(*entry.readable, *beside))
    assignment = official.model_copy(update={"isolation": "none"})
    entrant = Entrant(
        submission=submission,
        assignment=assignment,
        entry=entry,
        findings=(*submission.findings, *findings, *_files_beside_findings(path, imported, beside, assignment)),
        identity={},
    )
    prepared = Prepared(
        request=Request(path=path, results=staging, assignments=(assignment,)),
        entrants=(entrant,),
        opponents=resolve_opponents([assignment], staging.with_name(f"{staging.name}-opponents")),
        level=level,
        reference_digest="",
    )
    return CheckSubject(
        name=printable(path.name),
        prepared=prepared,
        fixtures=gauntlet_fixtures([entrant]),
        limits=assignment_limits(assignment, level),
        required=Level[official.isolation.upper()],
        source=_relative_path(file) if file else say("the built-in assignment"),
    )


def _check_level(request: CheckRequest) -> Level:
    best = best_level()
    if request.level is not None and request.level > best:
        raise IsolationError(
            say(
                "This machine offers the isolation level {best}, not {level}: `grader doctor` says how to get more.",
                best=str(best),
                level=str(request.level),
            )
        )
    return best if request.level is None else request.level


def _relative_path(file: Path) -> str:
    """A file as it is reached from here, if it lies below."""
    try:
        return str(file.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(file)


def _nearby_assignment(path: Path) -> Path | None:
    """The assignment in the folder that was named, or in the one that holds what was named."""
    folders = [path, path.parent] if path.is_dir() else [path.parent]
    return next((folder / ASSIGNMENT for folder in folders if (folder / ASSIGNMENT).is_file()), None)


def _single_file(path: Path) -> Submission:
    """A file is looked at where it is, together with what it imports from beside it."""
    return Submission(id=safe_id(path.stem), name=printable(path.stem), folder=path.parent, digest="")


def _single_submission(path: Path, staging: Path) -> Submission:
    """The one submission in a folder or zip."""
    try:
        submissions = collect(path, staging)
    except IntakeError as error:
        if path.is_dir() and not any(path.iterdir()):
            return replace(_single_file(path), problem=_empty())
        if path.suffix == ".ipynb":
            raise OptionError(
                say(
                    "{path}: this is a notebook. Save it as a Python file (in Jupyter: File, Save and Export Notebook As, "
                    "Executable Script), and name that.",
                    path=printable(path.name),
                )
            ) from error
        if path.is_file() and not zipfile.is_zipfile(path):
            raise OptionError(
                say("{path}: name a Python file, or the folder or the zip that holds it.", path=printable(path.name))
            ) from error
        raise OptionError(say("{path}: there is no player in it. {why}", path=str(path), why=str(error))) from error
    if len(submissions) > 1:
        names = ", ".join(submission.name for submission in submissions[:5])
        raise OptionError(
            say(
                "{path}: there are {count} submissions in it ({names}…). Name the folder or the file of one of them.",
                path=str(path),
                count=len(submissions),
                names=names,
            )
        )
    return submissions[0]


def _empty() -> Finding:
    return Finding(
        code="empty_submission",
        text=say("The folder is empty."),
        help=say("Put your player into a file solution.py in it, as a class with play(self, board)."),
    )


def _files_named_by(entry: Entry) -> tuple[Path, ...]:
    """The files beside a single one that its code names: whoever checks it has them there, and is told to hand them in."""
    code = [read_source(file.parent, Path(file.name)) for file in entry.readable if file.suffix == ".py"]
    texts = {text for source in code if isinstance(source, Source) for text in source.texts}
    names = {text for text in texts if text and not Path(text).is_absolute()}
    root = entry.root.resolve()
    beside = {Path(os.path.realpath(root / name)) for name in names if os.path.isfile(root / name)}  # noqa: PTH113  a text may be no path at all
    passed_over = {
        root / ASSIGNMENT,
        *(file for file in beside if file.suffix == ".py" or not file.is_relative_to(root)),
    }
    return tuple(sorted(beside - passed_over))


def _files_beside_findings(
    path: Path, imported: tuple[Path, ...], named: tuple[Path, ...], assignment: Assignment
) -> Iterator[Finding]:
    """Say of a file that needs others that a single file is graded without them. The course's own are always there."""
    alike = {path.with_name(f"{name}.py") for name in sys.stdlib_module_names}
    needed = [file for file in imported if file != path and not is_course_file(file, assignment)]
    own, clashing = _file_list(path, set(needed) - alike), _file_list(path, set(needed) & alike)
    values = {"file": printable(path.name), "others": own}
    whole = say("Hand in the whole folder: a file that is handed in alone is graded alone.")
    if own:
        yield Finding(
            code="files_beside", text=say("{file} needs what lies beside it: {others}.", **values), help=whole
        )
    if clashing:
        values["others"] = clashing
        yield Finding(
            code="files_beside",
            text=say("{file} imports what lies beside it and is called like a module of Python: {others}.", **values),
            help=say("Which of the two it gets may differ: rename yours, and hand in the whole folder."),
        )
    if named:
        values["others"] = _file_list(path, named)
        yield Finding(
            code="files_beside", text=say("{file} names what lies beside it: {others}.", **values), help=whole
        )


def _file_list(path: Path, files: Iterable[Path]) -> str:
    return ", ".join(sorted(printable(file.relative_to(path.parent).as_posix()) for file in files))
