"""Prepare a competition: collect the submissions, find their players, and test the opponents."""

from collections.abc import Mapping, Sequence
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
from grader.inspection.environment import environment, installed_packages
from grader.inspection.inspect_code import CodeRules, Inspection
from grader.inspection.opponents import stage_opponent
from grader.inspection.players import ResolvedPlayer, reference_digest
from grader.intake.submission import Submission
from grader.language import say
from grader.reading.tasks import ClassReading
from grader.records import Finding
from grader.referee import judge_answer
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits
from grader.sandbox.machine import best_level
from grader.sandbox.process import PlayerProcess
from grader.sandbox.speed import limits_on
from grader.sandbox.templates import close_idle


def prepare(request: Request, staging: Path, weakest: tuple[str, Level] | None = None) -> Setup:
    """Prepare a competition, with a copy of each submission below `staging`.

    `weakest` is the name and isolation level of the machine with the weakest isolation (default: this machine).
    Raises a `GraderError` if the competition cannot start.
    """
    opponents = resolve_opponents(request.assignments, staging.with_name(f"{staging.name}-opponents"))
    machine, level = weakest or (say("this machine"), best_level())
    for assignment in request.assignments:
        if level < (required := request.required_level(assignment)):
            raise IsolationError(
                say(
                    "{assignment} requires the isolation level {required}, but {machine} only has {level}. "
                    "That level needs Linux 5.13 or newer with Landlock enabled and, for strong, the package bubblewrap: "
                    "`grader doctor` shows what is missing. To play with less anyway, add --accept-isolation {level} to this command, or to the "
                    "`grader export` that made this autograder or workflow.",
                    assignment=assignment.title,
                    required=str(required),
                    machine=machine,
                    level=str(level),
                )
            )
    with _start_reading(request, staging) as reading:  # meanwhile, the opponents are tried
        try_opponents(request.assignments, opponents, level)
        submissions = reading.submissions()
    unknown = set(request.only) - {submission.id for submission, _ in submissions}
    if unknown and not (request.missing_ok and unknown < set(request.only)):
        known = ", ".join(submission.id for submission, _ in submissions[:20])
        raise OptionError(
            say(
                "--only {unknown}: no such submission. Choose from {known}.",
                unknown=", ".join(sorted(unknown)),
                known=known,
            )
        )
    references = reference_digest()
    installed = installed_packages({name for _, inspection in submissions for name in inspection.packages})
    return Setup(
        request=request,
        entrants=tuple(
            _entrant(
                submission,
                inspection,
                _assignments_for(request, submission.id),
                opponents,
                {
                    "reference": references,
                    "isolation": str(level),
                    "environment": environment(inspection.packages, installed),
                },
            )
            for submission, inspection in submissions
            if not request.only or submission.id in request.only
        ),
        opponents=opponents,
        level=level,
        reference_digest=references,
    )


def _start_reading(request: Request, staging: Path) -> ClassReading:
    return ClassReading(
        request.path,
        staging,
        [code_rules(assignment) for assignment in request.assignments],
        due=_due(request.assignments),
        single=request.single,
        graded_by={id_: code_rules(assignment) for id_, assignment in request.graded_by.items()},
    )


def code_rules(assignment: Assignment) -> CodeRules:
    """What an assignment says about the code of its submissions."""
    overrides = assignment.overrides.items()
    return CodeRules(
        game=assignment.rules.name,
        entry=assignment.entry,
        entries={id_: override.entry for id_, override in overrides if override.entry is not None},
        forbidden_imports=tuple(assignment.forbidden_imports),
        course_modules=tuple(assignment.rules.interface().modules),
    )


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
    try:
        for assignment in assignments:
            for opponent in assignment.opponents:
                _try_opponent(assignment, opponent, opponents[opponent_key(assignment, opponent)], level)
    finally:
        close_idle()  # the games are played by other processes


def _try_opponent(assignment: Assignment, opponent: Opponent, player: ResolvedPlayer, level: Level) -> None:
    game = assignment.rules
    seating = opponent_seating(assignment, opponent, player, level)
    limits = limits_on(None, replace(seating.limits or Limits(), isolation=level))
    with PlayerProcess(seating, game, limits) as process:
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
    inspection: Inspection,
    assignments: Sequence[Assignment],
    opponents: Mapping[str, ResolvedPlayer],
    identity: Mapping[str, Any],
) -> Entrant:
    entry, assignment = inspection.entry, assignments[inspection.rules]
    own = {
        opponent.name: opponents[opponent_key(assignment, opponent)].digest
        for opponent in assignment.opponents
        if opponent.is_own
    }
    return Entrant(
        submission=_with_extension(submission, assignment),
        assignment=assignment,
        entry=entry,
        findings=(*submission.findings, *inspection.findings),
        candidates=inspection.candidates,
        chance=inspection.chance,
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
