"""Prepare a competition: collect the submissions, find their players, and test the opponents."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from grader.assignment import Assignment, Opponent
from grader.competition.assignments import resolve_opponent
from grader.competition.records import Entrant, Request, Setup
from grader.competition.seating import opponent_seating
from grader.errors import IsolationError, OptionError
from grader.fixtures import RULES, opponent_key
from grader.inspection.entry import Choice, choose_asked_player, choose_player
from grader.inspection.environment import environment, installed_packages
from grader.inspection.handed_out import handed_out_code
from grader.inspection.opponents import stage_opponent
from grader.inspection.players import ResolvedPlayer, reference_digest
from grader.inspection.static_check import check
from grader.inspection.submission_code import SubmissionCode, read_code
from grader.intake.collect import Submission, collect
from grader.language import say
from grader.records import Finding
from grader.referee import judge_answer
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits
from grader.sandbox.machine import best_level
from grader.sandbox.process import PlayerProcess


def prepare(request: Request, staging: Path, weakest: tuple[str, Level] | None = None) -> Setup:
    """Prepare a competition, with a copy of each submission below `staging`.

    `weakest` is the name and isolation level of the machine with the weakest isolation (default: this machine).
    Raises a `GraderError` if the competition cannot start.
    """
    opponents = resolve_opponents(request.assignments, staging.with_name(f"{staging.name}-opponents"))
    machine, level = weakest or (say("this machine"), best_level())
    for assignment in request.assignments:
        if level < Level[assignment.isolation.upper()]:
            raise IsolationError(
                say(
                    "{assignment} requires the isolation level {required}, but {machine} only has {level}. "
                    "`grader doctor` shows how to improve it.",
                    assignment=assignment.title,
                    required=assignment.isolation,
                    machine=machine,
                    level=str(level),
                )
            )
    try_opponents(request.assignments, opponents, level)
    submissions = collect(request.path, staging, due=_due(request.assignments), single=request.single)
    unknown = set(request.only) - {submission.id for submission in submissions}
    if unknown and not (request.missing_ok and unknown < set(request.only)):
        known = ", ".join(submission.id for submission in submissions[:20])
        raise OptionError(
            say(
                "--only {unknown}: no such submission. Choose from {known}.",
                unknown=", ".join(sorted(unknown)),
                known=known,
            )
        )
    references = reference_digest()
    return Setup(
        request=request,
        entrants=tuple(
            _entrant(
                submission, choice, assignment, opponents, {"reference": references, "isolation": str(level), **more}
            )
            for submission, choice, assignment, more in _inspect_class(request, submissions)
        ),
        opponents=opponents,
        level=level,
        reference_digest=references,
    )


def _inspect_class(
    request: Request, submissions: Sequence[Submission]
) -> Iterator[tuple[Submission, Choice, Assignment, dict[str, Any]]]:
    """Each submission that takes part with its player, its assignment, and the packages that its games depend on."""
    codes = {submission.id: read_code(submission.folder) for submission in submissions if submission.problem is None}
    handed_out = handed_out_code(codes.values())  # of the whole class, so that `--only` changes no choice
    installed = installed_packages()
    for submission in submissions:
        if not request.only or submission.id in request.only:
            own, code = _assignments_for(request, submission.id), codes.get(submission.id)
            choice, assignment = inspect_submission(submission, code, own, submission.id, handed_out)
            packages = environment(code, choice.entry, installed) if code and choice.entry else {}
            yield submission, choice, assignment, {"environment": packages}


def _assignments_for(request: Request, id_: str) -> Sequence[Assignment]:
    known = request.graded_by.get(id_)
    return request.assignments if known is None else (known,)


def resolve_opponents(assignments: Sequence[Assignment], staging: Path) -> dict[str, ResolvedPlayer]:
    """The opponents of these assignments, with a course's own copied below `staging`."""
    found = {}
    for assignment in assignments:
        for opponent in assignment.opponents:
            player = resolve_opponent(assignment, opponent)
            found[opponent_key(assignment, opponent)] = stage_opponent(player, staging) if opponent.is_own else player
    return found


def try_opponents(assignments: Sequence[Assignment], opponents: Mapping[str, ResolvedPlayer], level: Level) -> None:
    """Ask every opponent for a move, so that a wrong option or game is reported before anything is played.

    Raises `OptionError` for an opponent that fails.
    """
    for assignment in assignments:
        for opponent in assignment.opponents:
            _try_opponent(assignment, opponent, opponents[opponent_key(assignment, opponent)], level)


def _try_opponent(assignment: Assignment, opponent: Opponent, player: ResolvedPlayer, level: Level) -> None:
    game = assignment.rules
    with PlayerProcess(opponent_seating(assignment, opponent, player, level), game, Limits(isolation=level)) as process:
        fault = process.load()
        if fault is None:
            _, _, fault = judge_answer(game, game.start(), process.choose(game.start()), "trial")
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


def limit_games(setup: Setup, games: int) -> Setup:
    """A copy with at most this many games per opponent, and a finding about it for each submission."""
    fewer = {each.rules.name: _with_games(each, games) for each in setup.assignments}
    return replace(
        setup,
        request=replace(setup.request, assignments=tuple(fewer.values())),
        entrants=tuple(_limit_entrant(entrant, fewer[entrant.game], games) for entrant in setup.entrants),
    )


def _with_games(assignment: Assignment, games: int) -> Assignment:
    fewer = [opponent.model_copy(update={"games": min(opponent.games, games)}) for opponent in assignment.opponents]
    return assignment.model_copy(update={"opponents": tuple(fewer)})


def _limit_entrant(entrant: Entrant, assignment: Assignment, games: int) -> Entrant:
    if assignment == entrant.assignment:
        return entrant
    finding = Finding(
        code="fewer_games",
        text=say(
            "At most {games} games per opponent were played, for all submissions, because time was limited.",
            games=games,
        ),
        help=say("No action needed: the win rates are only less precise."),
    )
    return replace(entrant, assignment=assignment, findings=(*entrant.findings, finding))


def _due(assignments: Sequence[Assignment]) -> datetime | None:
    """The deadline in the assignments, if there is one."""
    dates = [assignment.late.due_at for assignment in assignments if assignment.late is not None]
    return next((date for date in dates if date is not None), None)


def _entrant(
    submission: Submission,
    choice: Choice,
    assignment: Assignment,
    opponents: Mapping[str, ResolvedPlayer],
    identity: Mapping[str, Any],
) -> Entrant:
    entry = choice.entry
    own = {
        opponent.name: opponents[opponent_key(assignment, opponent)].digest
        for opponent in assignment.opponents
        if opponent.is_own
    }
    return Entrant(
        submission=_with_extension(submission, assignment),
        assignment=assignment,
        entry=entry,
        findings=(*submission.findings, *choice.findings),
        candidates=choice.candidates,
        identity={
            "rules": RULES,
            "content": submission.digest,
            "entry": [str(entry.file), entry.name] if entry else None,
            **identity,
            **({"opponents": own} if own else {}),
        },
    )


def _with_extension(submission: Submission, assignment: Assignment) -> Submission:
    """A copy with the lateness that this student's extension leaves."""
    override = assignment.overrides.get(submission.id)
    if override is None or override.extension is None or submission.late_seconds is None:
        return submission
    return replace(submission, late_seconds=override.late(submission.late_seconds, submission.submitted_at))


def inspect_submission(
    submission: Submission,
    code: SubmissionCode | None,
    assignments: Sequence[Assignment],
    id_: str = "",
    handed_out: frozenset[str] = frozenset(),
) -> tuple[Choice, Assignment]:
    """The player of a submission with the findings about its code, and the assignment that it is for.

    `code` is None if the submission has a problem, and `handed_out` is the code that many submissions share.
    """
    if submission.problem is not None or code is None:
        return Choice(entry=None, findings=(submission.problem,) if submission.problem else ()), assignments[0]
    overriding = [each for each in assignments if id_ in each.overrides and each.overrides[id_].entry is not None]
    override = overriding[0].overrides[id_].entry if overriding else None
    choice = choose_player(code, override, handed_out)
    game = choice.entry.game if choice.entry else None
    assignment = next((each for each in assignments if each.rules.name == game), [*overriding, *assignments][0])
    if override is None and assignment.entry is not None:
        choice = choose_asked_player(code, assignment.entry, handed_out)
    if choice.entry is not None:
        found = check(
            code,
            choice.entry,
            forbidden_imports=assignment.forbidden_imports,
            course_modules=assignment.rules.interface().modules,
        )
        choice = replace(choice, findings=(*choice.findings, *found))
    return choice, assignment
