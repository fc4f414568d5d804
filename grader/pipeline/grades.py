"""From the results of a run to the grade of everybody in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.assignment import Assignment
from grader.engine.jobs import Trial
from grader.intake.names import safe_id
from grader.pipeline.prepare import Candidate, Prepared
from grader.records import Finding, MatchRecord
from grader.scoring import Grade, disqualified, endings, needed, parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """What a run came to."""

    prepared: Prepared
    grades: tuple[Grade, ...]
    results: Mapping[str, MatchRecord]
    unloadable: Mapping[str, Trial]
    faults: tuple[str, ...]
    """Ours: games that could not be played fairly."""


def grades(
    prepared: Prepared, unloadable: Mapping[str, Trial], results: Mapping[str, MatchRecord], faults: Sequence[str]
) -> Graded:
    """The grade of every submission, and of those on the roster who have none."""
    found = [_grade(candidate, results, unloadable.get(candidate.id)) for candidate in prepared.candidates]
    present = {grade.id for grade in found}
    present |= {safe_id(member) for candidate in prepared.candidates for member in candidate.submission.members}
    if not prepared.request.only:
        found += [
            Grade(
                id=entry.id,
                name=entry.name,
                game=prepared.assignments[0].game,
                score=0.0,
                max_score=_maximum(prepared.assignments[0]),
                penalty=0.0,
                status="missing",
                reason="Nothing was submitted.",
            )
            for entry in prepared.request.roster
            if entry.id not in present
        ]
    return Graded(
        prepared=prepared,
        grades=tuple(sorted(found, key=lambda grade: grade.id)),
        results=results,
        unloadable=unloadable,
        faults=tuple(faults),
    )


def _grade(candidate: Candidate, results: Mapping[str, MatchRecord], trial: Trial | None) -> Grade:
    assignment = candidate.assignment
    own = {fixture.key: results[fixture.key] for fixture in candidate.planned if fixture.key in results}
    reached = parts(assignment, candidate.planned, own, unloadable=trial is not None)
    unplayed = trial is None and any(fixture.key not in own for fixture in needed(assignment, candidate.planned, own))
    disqualifying = {*assignment.forbidden, "forbidden_import"}
    forbidden = [finding for finding in candidate.findings if finding.code in disqualifying]
    reason = forbidden[0].text if forbidden else disqualified(assignment, candidate.planned, own)
    total = sum(part.points for part in reached)
    penalty = 0.0 if reason else _penalty(assignment, candidate.submission.late_seconds, total)
    status = "ungraded" if unplayed else "disqualified" if reason else "graded"
    ended = endings(candidate.planned, own)
    return Grade(
        id=candidate.id,
        name=candidate.submission.name,
        game=assignment.game,
        score={"ungraded": None, "disqualified": 0.0, "graded": round(total - penalty, 4)}[status],
        max_score=_maximum(assignment),
        penalty=penalty,
        status=status,
        reason="Some games could not be played fairly."
        if unplayed
        else reason or (trial.fault.text if trial and trial.fault else ""),
        parts=reached,
        endings=ended if trial is None else {"load_error": len(candidate.planned)},
        findings=(*candidate.findings, *_noted(reason, trial)),
    )


def _noted(disqualified_for: str, trial: Trial | None) -> list[Finding]:
    """What decided the grade apart from the games, as findings."""
    noted = []
    if disqualified_for:
        noted.append(
            Finding(
                code="disqualified", text=disqualified_for, help="Mend this and ask the instructor what can be done."
            )
        )
    if trial is not None and trial.fault is not None:
        file, _, line = (trial.fault.where or "").partition(":")
        noted.append(
            Finding(
                code="load_error",
                text=trial.fault.text,
                help=trial.fault.help,
                file=file or None,
                line=int(line) if line.isdecimal() else None,
            )
        )
    return noted


def _penalty(assignment: Assignment, late_seconds: int | None, total: float) -> float:
    if not late_seconds or assignment.late is None:
        return 0.0
    days = -(-late_seconds // 86_400)
    percent = min(assignment.late.at_most, assignment.late.percent_per_day * days)
    return round(total * percent / 100, 4)


def _maximum(assignment: Assignment) -> float:
    return sum(opponent.points for opponent in assignment.opponents)
