"""`check.html`: the page of a check. It is the feedback page of the official run, and carries its games for `grader replay`."""

from dataclasses import replace

from grader.checks.conclusion import Conclusion
from grader.checks.observations import Observations
from grader.checks.subject import CheckSubject
from grader.fixtures import Match
from grader.games.exam import Mark, Verdict
from grader.language import Language, Message, say
from grader.records import Finding, as_json
from grader.reports.check import headline
from grader.reports.html import embed_json
from grader.reports.html.feedback import render as render_feedback
from grader.reports.html.student import Student
from grader.scoring.points import Grade, ending_counts, points_by_opponent

GAMES = "recorded-games"
"""The id of the element with the games."""


def render(subject: CheckSubject, observed: Observations, conclusion: Conclusion, speak: Language) -> str:
    """The page of a check: what is wrong, and the games that were finished."""
    matches = tuple(
        Match.of(game.fixture, game.record, subject.game, seat=game.fixture.seat)
        for game in observed.games
        if game.record is not None
    )
    student = Student(
        grade=_grade(subject, observed, conclusion, matches),
        assignment=subject.assignment,
        played=matches,
        headline=headline(conclusion.verdicts, speak),
        note=None if conclusion.ready or observed.grade is not None else _reason(len(matches), len(subject.fixtures)),
    )
    # The names of all opponents are in the student's own copy of the assignment.
    page = render_feedback(student, speak, isolation=str(subject.level), reveal=True)
    games = embed_json([as_json(match.record) for match in matches])
    before, end, after = page.rpartition("</body>")
    return f'{before}<script type="application/json" id="{GAMES}">{games}</script>\n{end}{after}'


def _grade(subject: CheckSubject, observed: Observations, conclusion: Conclusion, matches: tuple[Match, ...]) -> Grade:
    """The result of a check in the form of a grade: never a score that an official run would give, unless all games were played."""
    problems = [verdict for verdict in conclusion.verdicts if verdict.mark in (Mark.BAD, Mark.NOTE)]
    findings = tuple(map(_finding, sorted(problems, key=lambda verdict: verdict.mark is not Mark.BAD)))
    entry = subject.entrant.entry
    place = "" if entry is None else f"{entry.file}:{entry.name}"
    if observed.grade is not None:
        return replace(observed.grade, findings=findings, entry=place)
    assignment, fixtures = subject.assignment, subject.fixtures
    if assignment.scoring == "ladder":  # a check plays opponents that an official run may not reach
        assignment = assignment.model_copy(update={"scoring": "by-opponent"})
    results = {match.fixture.key: match.record for match in matches}
    return Grade(
        id=subject.entrant.id,
        name="",
        game=subject.game.name,
        score=None,
        max_score=assignment.max_score,
        penalty=0.0,
        status="ungraded",
        reason=_reason(len(matches), len(fixtures)) if conclusion.ready else findings[0].text,
        parts=tuple(part for part in points_by_opponent(assignment, fixtures, results, unloadable=False) if part.games),
        endings=ending_counts(fixtures, results),
        findings=findings,
        entry=place,
    )


def _reason(played: int, planned: int) -> Message:
    return say(
        "This is a check on your own computer, not a grade: {played} of {n} game of the assignment was finished.",
        "This is a check on your own computer, not a grade: {played} of {n} games of the assignment were finished.",
        n=planned,
        played=played,
    )


def _finding(verdict: Verdict) -> Finding:
    return Finding(code="check", text=verdict.text, help=verdict.help)
