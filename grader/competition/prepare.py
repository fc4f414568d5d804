"""Everything before the first player is started: assignments, submissions, their players and their fixtures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from grader.assignment import Assignment, Opponent, builtin_assignment, load_assignments
from grader.competition.seating import opponent_seating
from grader.errors import IsolationError, OptionError
from grader.fixtures import RULES, Fixture, fixtures, rival, rival_key
from grader.games import find_game, installed_games
from grader.inspection.entry import Entry, find_entry
from grader.inspection.opponents import own_opponent, staged
from grader.inspection.players import Contender, reference_digest, reference_player
from grader.inspection.static_check import check
from grader.intake.collect import Submission, collect
from grader.intake.roster import RosterEntry
from grader.language import say
from grader.records import Finding
from grader.referee import judged
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits
from grader.sandbox.machine import best_level
from grader.sandbox.process import PlayerProcess

ASSIGNMENT = "assignment.yaml"
"""What the file of a course is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What an instructor asks for."""

    path: Path
    results: Path
    assignment_file: Path | None = None
    named: bool = True
    """Whether a person named that file: one that was merely found brings no code that is not known."""
    game: str | None = None
    only: tuple[str, ...] = ()
    passing_over: bool = False
    """Whether it is no mistake if some of `only` are not there."""
    seed: int | None = None
    workers: int = 1
    roster: tuple[RosterEntry, ...] = ()
    single: bool = False
    """Whether `path` is one submission, whatever it looks like."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A submission that has been looked at: its player, its assignment and its fixtures."""

    submission: Submission
    assignment: Assignment
    player: Contender
    planned: tuple[Fixture, ...]
    findings: tuple[Finding, ...]
    identity: Mapping[str, Any]
    """Whatever of it can change a game."""

    @property
    def id(self) -> str:
        """Of the submission."""
        return self.submission.id

    @property
    def excused(self) -> bool:
        """Whether the course has excused this student: nothing is played."""
        return excused(self.assignment, self.id)

    @property
    def barred(self) -> str:
        """Why it is disqualified before it has played, or an empty text."""
        codes = {*self.assignment.forbidden, "forbidden_import"}
        return next((finding.text for finding in self.findings if finding.code in codes), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A run that could begin."""

    request: Request
    assignments: tuple[Assignment, ...]
    candidates: tuple[Candidate, ...]
    rivals: Mapping[str, Contender]
    """The reference players of all assignments, as they are written there."""
    level: Level
    """How well players are walled in."""


def prepare(
    request: Request,
    staging: Path,
    assignments: tuple[Assignment, ...] | None = None,
    weakest: tuple[str, Level] | None = None,
) -> Prepared:
    """Look at everything that a run needs, with a copy of each submission below `staging`.

    `assignments` are those that the request asks for, if none are given; `weakest` is which machine of those that will play
    walls players in least, and how well: this one, if nothing is said. Raises with a sentence where it cannot begin.
    """
    keep_apart(request)
    assignments = assignments_for(request) if assignments is None else assignments
    rivals = opponents_of(assignments, staging.with_name(f"{staging.name}-opponents"))
    machine, level = weakest or (say("this machine"), best_level())
    for assignment in assignments:
        if level < Level[assignment.isolation.upper()]:
            raise IsolationError(
                say(
                    "{assignment}: the isolation level {required} is required, and {machine} offers {level}. "
                    "`grader doctor` says how to get more.",
                    assignment=assignment.title,
                    required=assignment.isolation,
                    machine=machine,
                    level=str(level),
                )
            )
    try_opponents(assignments, rivals, level)
    submissions = collect(request.path, staging, due=_due(assignments), single=request.single)
    unknown = set(request.only) - {submission.id for submission in submissions}
    if unknown and not (request.passing_over and unknown < set(request.only)):
        known = ", ".join(submission.id for submission in submissions[:20])
        raise OptionError(
            say(
                "--only {unknown}: no such submission. There are {known}.",
                unknown=", ".join(sorted(unknown)),
                known=known,
            )
        )
    references = reference_digest()
    return Prepared(
        request=request,
        assignments=assignments,
        candidates=tuple(
            _candidate(submission, assignments, level, references, rivals)
            for submission in submissions
            if not request.only or submission.id in request.only
        ),
        rivals=rivals,
        level=level,
    )


def opponents_of(assignments: Sequence[Assignment], staging: Path) -> dict[str, Contender]:
    """The opponents of these assignments, as they are written there; a course's own in a copy below `staging`."""
    found = {}
    for assignment in assignments:
        for opponent in assignment.opponents:
            player = opponent_of(assignment, opponent)
            found[rival_key(assignment, opponent)] = staged(player, staging) if opponent.is_own else player
    return found


def opponent_of(assignment: Assignment, opponent: Opponent) -> Contender:
    """An opponent of an assignment, where its files are. Raises `OptionError` if there is none."""
    if opponent.is_own:
        return own_opponent(opponent.player, opponent.options, assignment.folder, opponent.name)
    try:
        return reference_player(rival(opponent), assignment.rules)
    except OptionError as error:
        near = [name for name in (opponent.player, f"{opponent.player}.py") if (assignment.folder / name).exists()]
        if not near:
            raise
        raise OptionError(
            say("{problem} To use the one in your folder, write ./{name}.", problem=error.text, name=near[0])
        ) from None


def try_opponents(assignments: Sequence[Assignment], rivals: Mapping[str, Contender], level: Level) -> None:
    """Have every opponent make a move. Raises `OptionError` for one that cannot."""
    for assignment in assignments:
        for opponent in assignment.opponents:
            _try_rival(assignment, opponent, rivals[rival_key(assignment, opponent)], level)


def _try_rival(assignment: Assignment, opponent: Opponent, player: Contender, level: Level) -> None:
    """Have an opponent make a move, so that a wrong option or game is reported before anybody is graded by it."""
    game = assignment.rules
    with PlayerProcess(opponent_seating(assignment, opponent, player, level), game, Limits(isolation=level)) as process:
        fault = process.load()
        if fault is None:
            _, _, fault = judged(game, game.start(), process.choose(game.start()), "trial")
    if fault is not None:
        raise OptionError(
            say(
                "{title}: the opponent {name} cannot play {game}. {text}",
                title=assignment.title,
                name=opponent.name,
                game=game.title,
                text=fault.text,
            )
        )


def with_games(prepared: Prepared, games: int) -> Prepared:
    """The same with at most so many games against each opponent, and said so to everybody."""
    return replace(
        prepared,
        assignments=tuple(_with_games(assignment, games) for assignment in prepared.assignments),
        candidates=tuple(_cut(candidate, games) for candidate in prepared.candidates),
    )


def _with_games(assignment: Assignment, games: int) -> Assignment:
    fewer = [opponent.model_copy(update={"games": min(opponent.games, games)}) for opponent in assignment.opponents]
    return assignment.model_copy(update={"opponents": tuple(fewer)})


def _cut(candidate: Candidate, games: int) -> Candidate:
    assignment = _with_games(candidate.assignment, games)
    if assignment == candidate.assignment:
        return candidate
    said = Finding(
        code="fewer_games",
        text=say(
            "At most {games} games against each opponent were played, the same for everybody, to fit a limit of time.",
            games=games,
        ),
        help=say("Nothing: the intervals of the shares are wider for it."),
    )
    return replace(
        candidate,
        assignment=assignment,
        planned=fixtures(assignment, candidate.id, candidate.identity),
        findings=(*candidate.findings, said),
    )


def keep_apart(request: Request) -> None:
    """Raise `OptionError` if results would be written among the submissions, where the next run would find them."""
    if request.results == request.path or request.path in request.results.parents:
        raise OptionError(
            say(
                "{results}: the results would lie among the submissions. Name a folder outside them with -o.",
                results=str(request.results),
            )
        )


def assignments_for(request: Request) -> tuple[Assignment, ...]:
    """The assignments in force."""
    return tuple(_fitted(assignment, request) for assignment in _assignments(request))


def assignment_file(named: Path | None, path: Path) -> Path | None:
    """The assignment file that was named, else the one in the folder that is graded, else the one in the working folder."""
    if named is not None:
        return named
    places = [*([path / ASSIGNMENT] if path.is_dir() else []), Path(ASSIGNMENT).absolute()]
    return next((file for file in places if file.is_file()), None)


def _assignments(request: Request) -> tuple[Assignment, ...]:
    """The assignments in the file that was named or found, else the built-in ones."""
    file = assignment_file(request.assignment_file, request.path)
    if file is None:
        names = [request.game] if request.game is not None else list(installed_games())
        return tuple(builtin_assignment(name) for name in names)
    named = request.named and request.assignment_file is not None
    found = load_assignments(file, _unknown_players, named=named)
    if request.game is None:
        return found
    game = find_game(request.game).name
    fitting = tuple(assignment for assignment in found if assignment.rules.name == game)
    if not fitting:
        raise OptionError(
            say(
                "{file} has no assignment for {game}: leave --game out, or add one to it.",
                file=str(file),
                game=game,
            )
        )
    return fitting


def _unknown_players(assignment: Assignment) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The opponents that cannot be found, with their place in the file: reported before anything is played."""
    for at, opponent in enumerate(assignment.opponents):
        try:
            opponent_of(assignment, opponent)
        except OptionError as error:
            yield ("opponents", at, "player"), error.text


def _due(assignments: Sequence[Assignment]) -> datetime | None:
    """When submissions are due, if the assignments say so."""
    dates = [assignment.late.due_at for assignment in assignments if assignment.late is not None]
    return next((date for date in dates if date is not None), None)


def _fitted(assignment: Assignment, request: Request) -> Assignment:
    return assignment if request.seed is None else assignment.model_copy(update={"seed": request.seed})


def _candidate(
    submission: Submission,
    assignments: Sequence[Assignment],
    level: Level,
    references: str,
    rivals: Mapping[str, Contender],
) -> Candidate:
    entry, findings, assignment = _looked_at(submission, assignments)
    identity: dict[str, Any] = {
        "rules": RULES,
        "content": submission.digest,
        "entry": [str(entry.file), entry.name] if entry else None,
        "reference": references,
        "isolation": str(level),
    }
    own = {rival(one): rivals[rival_key(assignment, one)].digest for one in assignment.opponents if one.is_own}
    if own:
        identity["opponents"] = own
    submission = _with_extension(submission, assignment)
    everything = (*submission.findings, *findings)
    return Candidate(
        submission=submission,
        assignment=assignment,
        player=Contender(name=submission.id, entry=entry, findings=everything),
        planned=() if excused(assignment, submission.id) else fixtures(assignment, submission.id, identity),
        findings=everything,
        identity=identity,
    )


def excused(assignment: Assignment, id_: str) -> bool:
    """Whether the course has excused this student: nothing is played."""
    override = assignment.overrides.get(id_)
    return override is not None and override.excused


def _with_extension(submission: Submission, assignment: Assignment) -> Submission:
    """The same, as late as it is by the date that was agreed with this student."""
    override = assignment.overrides.get(submission.id)
    if override is None or override.extension is None or submission.late_seconds is None:
        return submission
    return replace(submission, late_seconds=override.late(submission.late_seconds, submission.submitted_at))


def _looked_at(
    submission: Submission, assignments: Sequence[Assignment]
) -> tuple[Entry | None, tuple[Finding, ...], Assignment]:
    """The player of a submission, what there is to say about its code, and the assignment that it is for."""
    if submission.problem is not None:
        return None, (submission.problem,), assignments[0]
    return look_at(submission.folder, assignments, submission.id)


def look_at(
    path: Path, assignments: Sequence[Assignment], id_: str = ""
) -> tuple[Entry | None, tuple[Finding, ...], Assignment]:
    """The same of a folder, or of a single file and what it imports."""
    entry, findings = find_entry(path)
    assignment = _assignment_for(entry.game if entry else None, assignments)
    override = assignment.overrides.get(id_)
    named = (override.entry if override else None) or assignment.entry
    if named is not None:
        entry, findings = find_entry(path, named)
    if entry is not None:
        findings += check(
            entry.root,
            entry,
            forbidden_imports=assignment.forbidden_imports,
            course_modules=assignment.rules.interface().modules,
        )
    return entry, findings, assignment


def _assignment_for(game: str | None, assignments: Sequence[Assignment]) -> Assignment:
    return next((assignment for assignment in assignments if assignment.rules.name == game), assignments[0])
