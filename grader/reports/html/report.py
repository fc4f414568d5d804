"""`report.html`: the class for its instructor, and every student with every game in a section of their own."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import mean, median

from grader.assignment import Assignment
from grader.games.endings import ending_label
from grader.language import Language, Message
from grader.reports.html import page
from grader.reports.html.replay import ReplayData, scripts, styles
from grader.reports.html.student import Student, StudentSection, explain_to_instructor, section, template_functions
from grader.scoring.points import Grade, Part

BARS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentRow:
    """A student as a line of the table."""

    at: int
    """Among all students of the report."""
    grade: Grade
    parts: tuple[Part | None, ...]
    """One for each opponent of the table; None where this student has not met it."""
    slowest: float | None
    found: int
    """How many things were found: findings, and what its games show."""
    codes: tuple[str, ...]
    """Of all that, each once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramBar:
    """How many scores lie in one part of the scale."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassTable:
    """Everybody who has the same assignment."""

    assignment: Assignment
    opponents: tuple[str, ...]
    rows: tuple[StudentRow, ...]
    bars: tuple[HistogramBar, ...]
    median: float
    mean: float
    best: float


def render(students: Sequence[Student], speak: Language, *, isolation: str, seed: int) -> str:
    """The whole report. It names hidden opponents: it is not for students."""
    explain = partial(explain_to_instructor, speak=speak)
    replays = ReplayData(speak, explain)
    for student in students:
        replays.add(student.grade.id, student.grade.name, student.assignment, student.played)
    sections = [section(student, explain) for student in students]
    tables = _tables(sections)
    assignments = [student.assignment for student in students]
    codes = {code for table in tables for row in table.rows for code in row.codes}
    return page(
        "report.html.j2",
        speak,
        title=" · ".join(table.assignment.title for table in tables) or speak.say("Nobody"),
        scripts=scripts(assignments, "table.js"),
        styles=styles(assignments),
        data=replays.as_data(),
        **template_functions(),
        tables=tables,
        sections=sections,
        statuses=list(dict.fromkeys(student.grade.status for student in students)),
        endings=dict(sorted(_endings(students).items())),
        findings=sorted(codes),
        games=sum(len(student.played) for student in students),
        isolation=isolation,
        seed=seed,
    )


def _endings(students: Sequence[Student]) -> dict[str, Message]:
    """The endings of all games, with their names."""
    return {
        ending: ending_label(ending, student.assignment.rules)
        for student in students
        for ending in student.grade.endings
    }


def _tables(sections: Sequence[StudentSection]) -> list[ClassTable]:
    """A table for each assignment, the best first in each."""
    assignments: list[Assignment] = []
    for one in sections:
        if one.student.assignment not in assignments:
            assignments.append(one.student.assignment)
    return [
        _table(assignment, [(at, one) for at, one in enumerate(sections) if one.student.assignment == assignment])
        for assignment in assignments
    ]


def _table(assignment: Assignment, sections: Sequence[tuple[int, StudentSection]]) -> ClassTable:
    opponents = tuple(opponent.name for opponent in assignment.opponents)
    grades = [one.student.grade for _, one in sections]
    scores = [grade.score for grade in grades if grade.score is not None]
    rows = [_row(at, one, opponents) for at, one in sections]
    return ClassTable(
        assignment=assignment,
        opponents=opponents,
        rows=tuple(sorted(rows, key=lambda row: (-(row.grade.score or 0), row.grade.id))),
        bars=_bars(scores, max(grade.max_score for grade in grades)),
        median=median(scores) if scores else 0.0,
        mean=mean(scores) if scores else 0.0,
        best=max(scores, default=0.0),
    )


def _row(at: int, one: StudentSection, opponents: Sequence[str]) -> StudentRow:
    grade = one.student.grade
    met = {part.opponent: part for part in grade.parts}
    found = [finding.code for finding in grade.findings] + _game_codes(one.student)
    return StudentRow(
        at=at,
        grade=grade,
        parts=tuple(met.get(name) for name in opponents),
        slowest=one.slowest[0].seconds if one.slowest else None,
        found=len(found),
        codes=tuple(dict.fromkeys(found)),
    )


def _game_codes(student: Student) -> list[str]:
    """What is no finding about the code, and still worth an instructor's look."""
    own = [(game.record.seats[game.seat], game.record.turns_of(game.seat)) for game in student.played]
    seen = {
        "late_moves": any(turn.late for _, turns in own for turn in turns),
        "prints": any(seat.output.strip() for seat, _ in own),
    }
    return [code for code, so in seen.items() if so]


def _bars(scores: Sequence[float], most: float) -> tuple[HistogramBar, ...]:
    """The scores in equal parts of the scale; the highest score belongs to the last."""
    if not scores or most <= 0:
        return ()
    places = [min(BARS - 1, max(0, int(score / most * BARS))) for score in scores]
    return tuple(
        HistogramBar(low=most * at / BARS, high=most * (at + 1) / BARS, count=places.count(at)) for at in range(BARS)
    )
