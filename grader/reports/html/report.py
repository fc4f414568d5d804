"""`report.html`: the whole class for the instructor, with a section for each student and replays of all games."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import mean, median

from grader.assignment import Assignment, Opponent
from grader.competition.attention import NO_ATTENTION, Attention, Concern, concern_about
from grader.games.endings import ending_label
from grader.language import Language
from grader.records import Ending
from grader.reports.conditions import board_label, format_date, opponents_label, score_label
from grader.reports.html import page
from grader.reports.html.attention import attention_functions
from grader.reports.html.replay import ReplayData, scripts, styles
from grader.reports.html.student import (
    GameRow,
    Student,
    StudentSection,
    explain_to_instructor,
    section,
    template_functions,
)
from grader.reports.labels import finding_label, unique_findings
from grader.reports.variety import variety_lines
from grader.scoring.points import Grade, Part

BARS = 10
"""How many bars the histogram of scores has."""
MOST_SIGNS = 24
"""How many games against one opponent are shown in a cell, each as a sign; the student's section has the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentRow:
    """A student as a row of the table."""

    at: int
    """The position among all students of the report, from 0."""
    grade: Grade
    parts: tuple[Part | None, ...]
    """One for each opponent of the table; None if the student did not play against it."""
    slowest: float | None
    codes: Mapping[str, int]
    """How many findings of each kind there are, including what the games show."""
    games: Mapping[str, Sequence[GameRow]]
    """The games against each opponent."""
    concern: Concern | None
    """Why it has no points or no grade, or needs to be checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramBar:
    """The number of scores in one part of the scale."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassTable:
    """All students with the same assignment."""

    assignment: Assignment
    opponents: tuple[Opponent, ...]
    rows: tuple[StudentRow, ...]
    bars: tuple[HistogramBar, ...]
    median: float
    mean: float
    best: float


def render(
    students: Sequence[Student],
    speak: Language,
    *,
    isolation: str,
    seed: int,
    seal: str = "",
    attention: Attention = NO_ATTENTION,
    finished: str = "",
    machine: str = "",
    load: str = "",
) -> str:
    """The whole report. It names hidden opponents, so it is not for students."""
    explain = partial(explain_to_instructor, speak=speak)
    replays = ReplayData(speak, explain)
    sections = [section(student, explain) for student in students]
    for own in sections:
        grade, assignment, played = own.student.grade, own.student.assignment, own.student.played
        replays.add(grade.id, grade.name, assignment, played, rows=own.games, known=grade.findings)
    tables = _tables(sections)
    assignments = [student.assignment for student in students]
    return page(
        "report.html.j2",
        speak,
        title=" · ".join(table.assignment.title for table in tables) or speak.say("No submissions"),
        scripts=scripts(assignments, "table.js"),
        styles=("attention.css", *styles(assignments)),
        data=replays.as_data(),
        student_data=replays.games_by_student(),
        **template_functions(speak),
        **attention_functions(speak),
        attention=attention,
        tables=tables,
        sections=sections,
        statuses=list(dict.fromkeys(student.grade.status for student in students)),
        kinds=_kinds(students, tables, speak),
        most_signs=MOST_SIGNS,
        fault_endings=frozenset(map(str, Ending)),
        finished=format_date(finished),
        machine=machine,
        load=load,
        board_label=partial(board_label, speak=speak),
        opponents_label=partial(opponents_label, speak=speak),
        score_label=partial(score_label, speak=speak),
        games=sum(len(student.played) for student in students),
        variety=variety_lines([(student.grade, student.assignment) for student in students], speak),
        isolation=isolation,
        seed=seed,
        seal=seal,
    )


def _kinds(
    students: Sequence[Student], tables: Sequence[ClassTable], speak: Language
) -> tuple[dict[str, str], dict[str, str]]:
    """The endings and the findings to filter by: each label once, with the kinds of rows that it stands for."""
    endings: dict[str, list[str]] = {}
    for student in students:
        for ending in student.grade.endings:
            endings.setdefault(speak(ending_label(ending, student.assignment.rules)), []).append(f"ending:{ending}")
    findings: dict[str, list[str]] = {}
    for code in {code for table in tables for row in table.rows for code in row.codes}:
        label = speak(finding_label(code))
        (endings if label in endings else findings).setdefault(label, []).append(f"finding:{code}")
    endings_, findings_ = (
        {label: " ".join(sorted({*kinds})) for label, kinds in sorted(found.items())} for found in (endings, findings)
    )
    return endings_, findings_


def _tables(sections: Sequence[StudentSection]) -> list[ClassTable]:
    """A table for each assignment, the best first in each."""
    assignments: list[Assignment] = []
    for section_ in sections:
        if section_.student.assignment not in assignments:
            assignments.append(section_.student.assignment)
    return [
        _table(assignment, [(at, own) for at, own in enumerate(sections) if own.student.assignment == assignment])
        for assignment in assignments
    ]


def _table(assignment: Assignment, sections: Sequence[tuple[int, StudentSection]]) -> ClassTable:
    grades = [own.student.grade for _, own in sections]
    scores = [grade.score for grade in grades if grade.score is not None]
    rows = [_row(at, own, [opponent.name for opponent in assignment.opponents]) for at, own in sections]
    return ClassTable(
        assignment=assignment,
        opponents=assignment.opponents,
        rows=tuple(sorted(rows, key=lambda row: (-(row.grade.score or 0), row.grade.id))),
        bars=_bars(scores, max(grade.max_score for grade in grades)),
        median=median(scores) if scores else 0.0,
        mean=mean(scores) if scores else 0.0,
        best=max(scores, default=0.0),
    )


def _row(at: int, own: StudentSection, opponents: Sequence[str]) -> StudentRow:
    grade = own.student.grade
    met = {part.opponent: part for part in grade.parts}
    codes = [finding.code for finding in unique_findings(grade.findings)] + _game_codes(own.student)
    return StudentRow(
        at=at,
        grade=grade,
        parts=tuple(met.get(name) for name in opponents),
        slowest=own.slowest[0].seconds if own.slowest else None,
        codes=Counter(codes),
        games=_by_opponent(own.games),
        concern=concern_about(grade, own.student.played),
    )


def _by_opponent(games: Sequence[GameRow]) -> dict[str, list[GameRow]]:
    found: dict[str, list[GameRow]] = {}
    for game in games:
        found.setdefault(game.opponent, []).append(game)
    return found


def _game_codes(student: Student) -> list[str]:
    """Codes for what the games show, which are not findings about the code but may interest the instructor."""
    own = [(match.record.seats[match.seat], match.record.turns_of(match.seat)) for match in student.played]
    codes = {
        "late_moves": any(turn.late for _, turns in own for turn in turns),
        "prints": any(seat.output.strip() for seat, _ in own),
    }
    return [code for code, is_present in codes.items() if is_present]


def _bars(scores: Sequence[float], most: float) -> tuple[HistogramBar, ...]:
    """The scores in equal parts of the scale; the maximum belongs to the last part."""
    if not scores or most <= 0:
        return ()
    places = [min(BARS - 1, max(0, int(score / most * BARS))) for score in scores]
    return tuple(
        HistogramBar(low=most * at / BARS, high=most * (at + 1) / BARS, count=places.count(at)) for at in range(BARS)
    )
