"""From what was played to the grade of every submission."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from grader.assignment import Assignment
from grader.competition.records import Competition, CompetitionResult, Entrant, Prepared
from grader.engine.jobs import Trial
from grader.fixtures import Fixture, Match, Results
from grader.games import Game
from grader.intake.names import safe_id
from grader.language import Message, say
from grader.records import Finding
from grader.scoring.points import Grade, disqualification, ending_counts, needed_fixtures, points_by_opponent


@dataclass(frozen=True, kw_only=True)
class RunResult(CompetitionResult[Grade]):
    """What a run came to: a sequence of grades, in the order of their ids."""

    @property
    def grades(self) -> tuple[Grade, ...]:
        """The grades."""
        return self.items

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

    def matches_of(self, entrant: Entrant) -> tuple[Match, ...]:
        """The games of a submission that count and were played, in the order in which they count."""
        results, game = self.competition.results, entrant.assignment.rules
        return tuple(
            Match.of(fixture, results[fixture.key], game, seat=fixture.seat)
            for fixture in self.competition.fixtures_of(entrant.id)
            if fixture.key in results
        )


def grade(competition: Competition) -> RunResult:
    """Grade every submission, and everybody on the roster who submitted nothing."""
    prepared = competition.prepared
    planned = {entrant.id: competition.fixtures_of(entrant.id) for entrant in prepared.entrants}
    counted = {
        fixture.key: competition.results[fixture.key]
        for entrant in prepared.entrants
        for fixture in needed_fixtures(entrant.assignment, planned[entrant.id], competition.results)
        if fixture.key in competition.results
    }
    names = {entry.id.casefold(): entry.name for entry in prepared.request.roster}
    found = [
        _grade(entrant, planned[entrant.id], counted, competition.unloadable.get(entrant.id), names)
        for entrant in prepared.entrants
    ]
    return RunResult(
        competition=replace(competition, results=counted),
        items=tuple(sorted([*found, *_missing(prepared, found)], key=lambda one: one.id)),
    )


def _missing(prepared: Prepared, found: Sequence[Grade]) -> list[Grade]:
    """Those on the roster who have submitted nothing."""
    if prepared.request.only:
        return []
    present = {one.id.casefold() for one in found}
    members = {member for entrant in prepared.entrants for member in entrant.submission.members}
    present |= {safe_id(member).casefold() for member in members}
    assignment = prepared.assignments[0]
    excused = {id_ for id_, override in assignment.overrides.items() if override.excused}
    return [
        _excused_grade(entry.id, entry.name, assignment)
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


def _wrong_override(entrant: Entrant) -> Message | None:
    """Why an entry that the course has named for this student names no player: that is not the student's fault."""
    override = entrant.assignment.overrides.get(entrant.id)
    if override is None or override.entry is None or entrant.identity.get("entry") is not None:
        return None
    why = entrant.findings[0].text if entrant.findings else ""
    return say("overrides: {id}: entry {entry}: {text}", id=entrant.id, entry=override.entry, text=why)


def _excused_grade(id_: str, name: str, assignment: Assignment) -> Grade:
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
    entrant: Entrant, planned: Sequence[Fixture], results: Results, trial: Trial | None, names: Mapping[str, str]
) -> Grade:
    assignment, name = entrant.assignment, names.get(entrant.id.casefold(), entrant.submission.name)
    if entrant.excused:
        return _excused_grade(entrant.id, name, assignment)
    if (wrong := _wrong_override(entrant)) is not None:
        excused = _excused_grade(entrant.id, name, assignment)
        return replace(excused, status="ungraded", reason=wrong, findings=entrant.findings)
    own = {fixture.key: results[fixture.key] for fixture in planned if fixture.key in results}
    barred = entrant.barred or disqualification(assignment, planned, own)
    parts = points_by_opponent(assignment, planned, own, unloadable=trial is not None)
    if barred:
        parts = tuple(replace(part, points=0.0) for part in parts)
    wanted = needed_fixtures(assignment, planned, own)
    unplayed = not barred and trial is None and any(fixture.key not in own for fixture in wanted)
    total = sum(part.points for part in parts)
    penalty = _penalty(assignment, entrant.submission.late_seconds, total)
    reason = say("Some games have not been played, or not fairly.") if unplayed else barred
    if not reason and trial is not None and trial.fault is not None:
        reason = trial.fault.text
    return Grade(
        id=entrant.id,
        name=name,
        game=entrant.game,
        score=None if unplayed else round(total - penalty, 4),
        max_score=_maximum(assignment),
        penalty=penalty,
        status="ungraded" if unplayed else "disqualified" if barred else "graded",
        reason=reason,
        parts=parts,
        endings=ending_counts(planned, own) if trial is None else {"load_error": len(planned)},
        findings=_with_reason(entrant.findings, barred, trial),
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
