"""From the results of a run to the grade of everybody in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from grader.assignment import Assignment
from grader.competition.prepare import Candidate, Prepared
from grader.engine.jobs import Trial
from grader.games import Game
from grader.intake.names import safe_id
from grader.language import Message, say
from grader.records import Finding, MatchRecord
from grader.scoring.points import Grade, disqualified, endings, needed, parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """What a run came to."""

    prepared: Prepared
    grades: tuple[Grade, ...]
    results: Mapping[str, MatchRecord]
    unloadable: Mapping[str, Trial]
    faults: tuple[str, ...]
    """Ours: games that could not be played fairly."""

    @property
    def unused_overrides(self) -> list[str]:
        """Ids in the overrides of the assignments that no submission has."""
        if self.prepared.request.only:
            return []
        known = {grade.id for grade in self.grades}
        return [id_ for assignment in self.prepared.assignments for id_ in assignment.overrides if id_ not in known]

    @property
    def games(self) -> dict[str, Game]:
        """The games that were graded, by name."""
        return {assignment.rules.name: assignment.rules for assignment in self.prepared.assignments}


def grades(
    prepared: Prepared, unloadable: Mapping[str, Trial], results: Mapping[str, MatchRecord], faults: Sequence[str]
) -> Graded:
    """The grade of every submission, and of those on the roster who have none."""
    counted = {
        fixture.key: results[fixture.key]
        for candidate in prepared.candidates
        for fixture in needed(candidate.assignment, candidate.planned, results)
        if fixture.key in results
    }
    names = {entry.id.casefold(): entry.name for entry in prepared.request.roster}
    found = [_grade(candidate, counted, unloadable.get(candidate.id), names) for candidate in prepared.candidates]
    return Graded(
        prepared=prepared,
        grades=tuple(sorted([*found, *_missing(prepared, found)], key=lambda grade: grade.id)),
        results=counted,
        unloadable=unloadable,
        faults=tuple(faults),
    )


def _missing(prepared: Prepared, found: Sequence[Grade]) -> list[Grade]:
    """Those on the roster who have submitted nothing."""
    if prepared.request.only:
        return []
    present = {grade.id.casefold() for grade in found}
    members = {member for candidate in prepared.candidates for member in candidate.submission.members}
    present |= {safe_id(member).casefold() for member in members}
    assignment = prepared.assignments[0]
    excused = {id_ for id_, override in assignment.overrides.items() if override.excused}
    return [
        _excused(entry.id, entry.name, assignment)
        if entry.id in excused
        else Grade(
            id=entry.id,
            name=entry.name,
            game=assignment.rules.name,
            score=0.0,
            max_score=_maximum(assignment),
            penalty=0.0,
            status="missing",
            reason=say("Nothing was submitted."),
        )
        for entry in prepared.request.roster
        if entry.id.casefold() not in present
    ]


def _wrong_override(candidate: Candidate) -> Message | None:
    """Why an entry that the course has named for this student names no player: that is not the student's fault."""
    override = candidate.assignment.overrides.get(candidate.id)
    if override is None or override.entry is None or candidate.identity.get("entry") is not None:
        return None
    why = candidate.findings[0].text if candidate.findings else ""
    return say("overrides: {id}: entry {entry}: {text}", id=candidate.id, entry=override.entry, text=why)


def _excused(id_: str, name: str, assignment: Assignment) -> Grade:
    return Grade(
        id=id_,
        name=name,
        game=assignment.rules.name,
        score=None,
        max_score=_maximum(assignment),
        penalty=0.0,
        status="excused",
        reason=say("Excused from this assignment."),
    )


def _grade(
    candidate: Candidate, results: Mapping[str, MatchRecord], trial: Trial | None, names: Mapping[str, str]
) -> Grade:
    assignment = candidate.assignment
    own = {fixture.key: results[fixture.key] for fixture in candidate.planned if fixture.key in results}
    barred = candidate.barred or disqualified(assignment, candidate.planned, own)
    reached = parts(assignment, candidate.planned, own, unloadable=trial is not None)
    if barred:
        reached = tuple(replace(part, points=0.0) for part in reached)
    wanted = needed(assignment, candidate.planned, own)
    unplayed = not barred and trial is None and any(fixture.key not in own for fixture in wanted)
    total = sum(part.points for part in reached)
    penalty = _penalty(assignment, candidate.submission.late_seconds, total)
    if candidate.excused:
        return _excused(candidate.id, names.get(candidate.id.casefold(), candidate.submission.name), assignment)
    if (wrong := _wrong_override(candidate)) is not None:
        return replace(
            _excused(candidate.id, names.get(candidate.id.casefold(), candidate.submission.name), assignment),
            status="ungraded",
            reason=wrong,
            findings=candidate.findings,
        )
    reason = say("Some games have not been played, or not fairly.") if unplayed else barred
    if not reason and trial is not None and trial.fault is not None:
        reason = trial.fault.text
    return Grade(
        id=candidate.id,
        name=names.get(candidate.id.casefold(), candidate.submission.name),
        game=assignment.rules.name,
        score=None if unplayed else round(total - penalty, 4),
        max_score=_maximum(assignment),
        penalty=penalty,
        status="ungraded" if unplayed else "disqualified" if barred else "graded",
        reason=reason,
        parts=reached,
        endings=endings(candidate.planned, own) if trial is None else {"load_error": len(candidate.planned)},
        findings=_with_reason(candidate.findings, barred, trial),
    )


def _with_reason(findings: tuple[Finding, ...], barred: str, trial: Trial | None) -> tuple[Finding, ...]:
    """The findings, and what decided the grade apart from the games, unless they say so already."""
    told = {finding.text for finding in findings}
    if barred and barred not in told:
        help_ = say("Mend this and ask the instructor what can be done.")
        findings = (*findings, Finding(code="disqualified", text=barred, help=help_))
    if trial is not None and trial.fault is not None and trial.fault.text not in told:
        file, _, line = (trial.fault.where or "").partition(":")
        number = int(line) if line.isdecimal() else None
        cause = Finding(code="load_error", text=trial.fault.text, help=trial.fault.help, file=file or None, line=number)
        findings = (*findings, cause)
    return findings


def _penalty(assignment: Assignment, late_seconds: int | None, total: float) -> float:
    if not late_seconds or assignment.late is None:
        return 0.0
    days = -(-late_seconds // 86_400)
    percent = min(assignment.late.at_most, assignment.late.percent_per_day * days)
    return round(total * percent / 100, 4)


def _maximum(assignment: Assignment) -> float:
    return sum(opponent.points for opponent in assignment.opponents)
