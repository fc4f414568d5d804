"""What is checked: the player at a path, found as in the official run, and its assignment."""

import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from grader.assignment import Assignment
from grader.competition.assignments import nearby_assignment, read_assignments, relative_path
from grader.competition.gauntlet import gauntlet_fixtures
from grader.competition.prepare import code_rules, resolve_opponents
from grader.competition.records import Entrant, Request, Setup
from grader.competition.seating import assignment_limits
from grader.errors import GraderFault, IsolationError, OptionError
from grader.fixtures import Fixture
from grader.games import Game
from grader.games.exam import PlayedCode
from grader.inspection.inspect_code import CodeRules, Inspection
from grader.inspection.no_player import PUT_IN_SOLUTION
from grader.intake.files import ASSIGNMENT
from grader.intake.names import printable, safe_id
from grader.intake.submission import IntakeError, Submission, UnclearFolderError
from grader.kit import is_course_file
from grader.language import say
from grader.reading.tasks import ClassReading, read_code
from grader.records import Finding
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits
from grader.sandbox.machine import best_level
from grader.sandbox.speed import core_speed, limits_on
from grader.seeds import derived_seed
from grader.source.notebook import NOTEBOOK

SEED = derived_seed(0, "check")
"""The seed of checks: never the one of the official run, even if the assignment names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest:
    """The options of a check."""

    path: Path
    assignment_file: Path | None = None
    game: str | None = None
    seed: int | None = None
    level: Level | None = None
    """The isolation level of the player; the best that this machine supports if None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSubject:
    """A player to check or, without an entry, the findings that say why there is none."""

    setup: Setup
    """A run with only this player."""
    fixtures: tuple[Fixture, ...]
    """The games of that run."""
    limits: Limits
    required: Level
    """The isolation level that the official run requires; a check requires none, so that it works on any machine."""
    source: str
    """Where the assignment comes from, for people."""
    code: PlayedCode
    """What its code shows to the game's exam."""

    @property
    def assignment(self) -> Assignment:
        """The assignment, without its required isolation level."""
        return self.entrant.assignment

    @property
    def entrant(self) -> Entrant:
        """The submission with its player."""
        return self.setup.entrants[0]

    @property
    def game(self) -> Game:
        """The game that it plays."""
        return self.assignment.rules

    @property
    def level(self) -> Level:
        """The isolation level of this check."""
        return self.setup.level


def find_subject(request: CheckRequest, staging: Path) -> CheckSubject:
    """The player at a path, with a copy of its files below `staging`. Raises `OptionError` if there cannot be one."""
    path = request.path.resolve()
    if not path.exists():
        raise OptionError(
            say(
                "{path}: no such file or folder. Give the file, folder or zip file of your player.",
                path=str(request.path),
            )
        )
    level = _check_level(request)
    file = request.assignment_file or nearby_assignment(path)
    seed = SEED if request.seed is None else request.seed
    assignments = read_assignments(file, game=request.game, seed=seed, trusted=request.assignment_file is not None)
    is_file = path.is_file() and path.suffix.lower() in (".py", NOTEBOOK)
    rules = [code_rules(assignment) for assignment in assignments]
    submission, inspection = _single_file(path, rules) if is_file else _single_submission(path, staging, rules)
    entry, official = inspection.entry, assignments[inspection.rules]
    imported = entry.readable if entry is not None and is_file else ()
    data_files = tuple(file for file in inspection.data_files if file != path.parent / ASSIGNMENT)
    if entry is not None:
        entry = replace(entry, readable=(*entry.readable, *data_files))
    assignment = official.model_copy(update={"isolation": "none"})
    entrant = Entrant(
        submission=submission,
        assignment=assignment,
        entry=entry,
        findings=(
            *submission.findings,
            *inspection.findings,
            *_other_files_findings(path, imported, data_files, assignment),
        ),
        identity={},
    )
    setup = Setup(
        request=Request(path=path, results=staging, assignments=(assignment,)),
        entrants=(entrant,),
        opponents=resolve_opponents([assignment], staging.with_name(f"{staging.name}-opponents")),
        level=level,
        reference_digest="",
    )
    return CheckSubject(
        setup=setup,
        fixtures=gauntlet_fixtures([entrant]),
        limits=_limits_here(assignment, level),
        required=Level[official.isolation.upper()],
        source=relative_path(file) if file else say("built in"),
        code=inspection.played or PlayedCode(),
    )


def _limits_here(assignment: Assignment, level: Level) -> Limits:
    """The limits on this machine, with its speed if the assignment compares it with that of the machine that grades."""
    limits = limits_on(None, assignment_limits(assignment, level))
    if assignment.time.machine_speed is not None and limits.speed is None:
        with suppress(GraderFault):  # then nothing is compared
            limits = replace(limits, speed=core_speed(None))
    return limits


def _check_level(request: CheckRequest) -> Level:
    best = best_level()
    if request.level is not None and request.level > best:
        raise IsolationError(
            say(
                "This machine supports isolation level {best}, not {level}; `grader doctor` shows how to improve it.",
                best=str(best),
                level=str(request.level),
            )
        )
    return best if request.level is None else request.level


def _single_file(path: Path, rules: Sequence[CodeRules]) -> tuple[Submission, Inspection]:
    """A single file as a submission; it is checked in place, together with the files it imports."""
    (inspection,) = read_code([path], rules, with_played=True)
    return _in_place(path), inspection


def _in_place(path: Path) -> Submission:
    return Submission(id=safe_id(path.stem), name=printable(path.stem), folder=path.parent, digest="")


def _single_submission(path: Path, staging: Path, rules: Sequence[CodeRules]) -> tuple[Submission, Inspection]:
    """The one submission in a folder or zip."""
    try:
        submissions = _submissions(path, staging, rules)
    except IntakeError as error:
        if path.is_dir() and not any(path.iterdir()):
            empty = _empty()
            return replace(_in_place(path), problem=empty), Inspection(entry=None, findings=(empty,))
        if path.is_file() and not zipfile.is_zipfile(path):
            raise OptionError(
                say(
                    "{path} is not a Python file; give a .py file, a notebook, a folder or a zip file.",
                    path=printable(path.name),
                )
            ) from error
        raise OptionError(say("{path}: no player found. {why}", path=str(path), why=str(error))) from error
    if len(submissions) > 1:
        names = ", ".join([submission.name for submission, _ in submissions[:5]] + ["…"] * (len(submissions) > 5))
        raise OptionError(
            say(
                "{path} contains several submissions ({names}). Give the folder or file of one of them.",
                path=str(path),
                names=names,
            )
        )
    return submissions[0]


def _submissions(path: Path, staging: Path, rules: Sequence[CodeRules]) -> list[tuple[Submission, Inspection]]:
    """The submissions at a path: one, if it can be one, because a student checks a single player."""
    try:
        with ClassReading(path, staging, rules, with_played=True) as reading:
            return reading.submissions()
    except UnclearFolderError:
        with ClassReading(path, staging, rules, single=True, with_played=True) as reading:
            return reading.submissions()


def _empty() -> Finding:
    return Finding(
        code="empty_submission",
        text=say("The folder is empty."),
        help=PUT_IN_SOLUTION,
    )


def _other_files_findings(
    path: Path, imported: tuple[Path, ...], data_files: tuple[Path, ...], assignment: Assignment
) -> Iterator[Finding]:
    """Warn that a file submitted alone is graded without the files it needs. Those of the course are always there."""
    like_python = {path.with_name(f"{name}.py") for name in sys.stdlib_module_names}
    needed = {file for file in imported if file != path and not is_course_file(file, assignment)}
    own, clashing = _file_list(path, needed - like_python), _file_list(path, needed & like_python)
    data = _file_list(path, data_files)
    file = printable(path.name)
    advice = say("Submit the whole folder: a file submitted alone is graded alone.")
    if own:
        text = say("{file} imports other files: {others}.", file=file, others=own)
        yield Finding(code="files_beside", text=text, help=advice)
    if clashing:
        text = say("{file} imports files with the names of Python's own modules: {others}.", file=file, others=clashing)
        help_ = say("Python may load either one: rename your file, and submit the whole folder.")
        yield Finding(code="files_beside", text=text, help=help_)
    if data:
        text = say("{file} refers to other files: {others}.", file=file, others=data)
        yield Finding(code="files_beside", text=text, help=advice)


def _file_list(path: Path, files: Iterable[Path]) -> str:
    return ", ".join(sorted(printable(file.relative_to(path.parent).as_posix()) for file in files))
