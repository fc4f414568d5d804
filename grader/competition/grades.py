"""Grade every submission from the games that were played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.assignment import Assignment
from grader.competition.records import Competition, CompetitionResult, Entrant, Setup
from grader.engine.jobs import Trial
from grader.errors import OptionError
from grader.fixtures import Fixture, Match, Results
from grader.games import Game
from grader.intake.names import safe_id
from grader.intake.roster import RosterEntry
from grader.language import say
from grader.reading.failures import READER_ERROR
from grader.records import Finding
from grader.scoring.points import (
    Grade,
    ending_counts,
    ending_counts_by_result,
    game_disqualification,
    needed_fixtures,
    points_by_opponent,
)
from grader.scoring.totals import total_score


@dataclass(frozen=True, kw_only=True)
class RunResult(CompetitionResult[Grade]):
    """The result of a run: a sequence of grades, sorted by id."""

    @property
    def grades(self) -> tuple[Grade, ...]:
        """The grades."""
        return self.items

    @property
    def unused_overrides(self) -> list[str]:
        """Ids in the overrides of the assignments that match no submission."""
        if self.setup.request.only:
            return []
        known = {grade.id for grade in self.grades}
        return [id_ for assignment in self.setup.assignments for id_ in assignment.overrides if id_ not in known]

    @property
    def games(self) -> dict[str, Game]:
        """The games that were graded, by name."""
        return {assignment.rules.name: assignment.rules for assignment in self.setup.assignments}

    def matches_of(self, entrant: Entrant) -> tuple[Match, ...]:
        """The games of a submission that count and were played, in the order in which they count."""
        results, game = self.competition.results, entrant.assignment.rules
        return tuple(
            Match.of(fixture, results[fixture.key], game, seat=fixture.seat)
            for fixture in self.competition.fixtures_of(entrant.id)
            if fixture.key in results
        )


def grade(competition: Competition) -> RunResult:
    """Grade all submissions, and the students on the roster who did not submit."""
    setup = competition.setup
    planned = {entrant.id: competition.fixtures_of(entrant.id) for entrant in setup.entrants}
    counted = {
        fixture.key: competition.results[fixture.key]
        for entrant in setup.entrants
        for fixture in needed_fixtures(entrant.assignment, planned[entrant.id], competition.results)
        if fixture.key in competition.results
    }
    names = {entry.id.casefold(): entry.name for entry in setup.request.roster}
    found = [
        _grade(entrant, planned[entrant.id], counted, competition.unloadable.get(entrant.id), names)
        for entrant in setup.entrants
    ]
    if competition.interim:
        found = [_so_far(grade, planned[grade.id]) for grade in found]
    return RunResult(
        competition=replace(competition, results=counted),
        items=tuple(sorted([*found, *_missing(setup)], key=lambda grade: grade.id)),
    )


def _so_far(grade: Grade, planned: Sequence[Fixture]) -> Grade:
    """A grade in an unfinished run: it says how many games are missing."""
    played = sum(part.games for part in grade.parts)
    if grade.status != "ungraded" or not grade.parts:
        return grade
    return replace(
        grade,
        reason=say("{played} of {n} game so far", "{played} of {n} games so far", n=len(planned), played=played),
    )


def absent_students(setup: Setup) -> list[RosterEntry]:
    """The students on the roster who did not submit; none if only some submissions were asked for."""
    if setup.request.only:
        return []
    present = {entrant.id.casefold() for entrant in setup.entrants}
    members = {member for entrant in setup.entrants for member in entrant.submission.members}
    present |= {safe_id(member).casefold() for member in members}
    return [entry for entry in setup.request.roster if entry.id.casefold() not in present]


def check_roster(setup: Setup) -> None:
    """Raise `OptionError` if no id of the roster is that of a submission: it has ids of another kind."""
    roster, entrants = setup.request.roster, setup.entrants
    if roster and entrants and len(absent_students(setup)) == len(roster):
        raise OptionError(
            say(
                "--roster: none of its ids is the id of a submission. The roster has {expected}, for example, and the submissions "
                "have {found}. Put the ids of the submissions into the column `id`, or leave out --roster.",
                expected=repr(roster[0].id),
                found=repr(entrants[0].id),
            )
        )


def _missing(setup: Setup) -> list[Grade]:
    """The grades of students on the roster who did not submit."""
    assignment = setup.assignments[0]
    excused = {id_ for id_, override in assignment.overrides.items() if override.excused}
    return [
        _excused_grade(entry.id, entry.name, assignment)
        if entry.id in excused
        else Grade(
            id=entry.id,
            name=entry.name,
            game=assignment.rules.name,
            score=0.0,
            max_score=assignment.max_score,
            penalty=0.0,
            status="missing",
            reason=say("Nothing was submitted."),
            pass_mark=assignment.pass_mark,
        )
        for entry in absent_students(setup)
    ]


def _reader_error(entrant: Entrant) -> str:
    """The error in the grader's own code that kept it from reading the submission; empty if there was none."""
    problem = entrant.submission.problem
    return problem.text if problem is not None and problem.code == READER_ERROR else ""


def _excused_grade(id_: str, name: str, assignment: Assignment) -> Grade:
    return Grade(
        id=id_,
        name=name,
        game=assignment.rules.name,
        score=None,
        max_score=assignment.max_score,
        penalty=0.0,
        status="excused",
        reason=say("Excused from this assignment."),
        pass_mark=assignment.pass_mark,
    )


def _grade(
    entrant: Entrant, planned: Sequence[Fixture], results: Results, trial: Trial | None, names: Mapping[str, str]
) -> Grade:
    assignment, name = entrant.assignment, names.get(entrant.id.casefold(), entrant.submission.name)
    if entrant.is_excused:
        return _excused_grade(entrant.id, name, assignment)
    if reason := entrant.needs_decision or _reader_error(entrant):
        return replace(
            _excused_grade(entrant.id, name, assignment),
            status="ungraded",
            reason=reason,
            findings=entrant.findings,
            candidates=entrant.candidates,
            needs_decision=bool(entrant.needs_decision),
        )
    own = {fixture.key: results[fixture.key] for fixture in planned if fixture.key in results}
    disqualified = entrant.disqualification or game_disqualification(assignment, planned, own)
    parts = points_by_opponent(assignment, planned, own, unloadable=trial is not None)
    if disqualified:
        parts = tuple(replace(part, points=0.0, exact_points=Fraction(0)) for part in parts)
    needed = needed_fixtures(assignment, planned, own)
    unplayed = not disqualified and trial is None and any(fixture.key not in own for fixture in needed)
    total = total_score(assignment, parts, entrant.submission.late_seconds)
    reason = say("Some games are missing or could not be played fairly.") if unplayed else disqualified
    if not reason and trial is not None and trial.fault is not None:
        reason = trial.fault.text
    return Grade(
        id=entrant.id,
        name=name,
        game=entrant.game,
        score=None if unplayed else total.score,
        max_score=assignment.max_score,
        penalty=total.penalty,
        status="ungraded" if unplayed else "disqualified" if disqualified else "graded",
        reason=reason,
        parts=parts,
        endings=ending_counts(planned, own) if trial is None else {"load_error": len(planned)},
        endings_by_result=ending_counts_by_result(planned, own) if trial is None else {},
        findings=_with_reason(entrant.findings, disqualified, trial),
        entry=":".join(entrant.identity.get("entry") or ()),
        candidates=entrant.candidates,
        partial_score=total.score,
        unrounded=None if unplayed else total.unrounded,
        pass_mark=assignment.pass_mark,
    )


def _with_reason(findings: tuple[Finding, ...], disqualified: str, trial: Trial | None) -> tuple[Finding, ...]:
    """The findings with the reason of the grade, if it is not one of them already."""
    texts = {finding.text for finding in findings}
    if disqualified and disqualified not in texts:
        help_ = say("Fix this and ask your instructor what to do.")
        findings = (*findings, Finding(code="disqualified", text=disqualified, help=help_))
    if trial is not None and trial.fault is not None and trial.fault.text not in texts:
        file, _, line = (trial.fault.where or "").partition(":")
        number = int(line) if line.isdecimal() else None
        cause = Finding(code="load_error", text=trial.fault.text, help=trial.fault.help, file=file or None, line=number)
        findings = (*findings, cause)
    return findings
