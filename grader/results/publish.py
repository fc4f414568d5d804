"""Write the reports of a run into its results folder, each whole or not at all."""

import json
import platform
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from grader import __version__
from grader.assignment import Assignment, MatchTime
from grader.competition.grades import Graded
from grader.competition.prepare import Candidate
from grader.language import Language, Message, say
from grader.reports import feedback, grades_csv, results
from grader.reports.html import feedback as feedback_page
from grader.reports.html import report as report_page
from grader.reports.html.student import Student
from grader.results.lookup import games_of
from grader.results.writing import write_whole
from grader.sandbox.machine import hardware
from grader.scoring.points import Grade
from grader.store import StoreError

SpeakFor = Callable[[Assignment], Language]
"""In which language those read who have this assignment."""


def publish(graded: Graded, folder: Path, *, speak_for: SpeakFor, reveal: bool = False) -> None:
    """Write `results.json`, `grades.csv`, `timings.json`, `report.html` and the feedback for each submission."""
    prepared = graded.prepared
    seed, level = prepared.assignments[0].seed, str(prepared.level)
    speak = speak_for(prepared.assignments[0])
    try:
        write_whole(
            folder / "results.json", results.render(graded.grades, prepared.assignments, seed=seed, isolation=level)
        )
        write_whole(folder / "grades.csv", "\ufeff" + grades_csv.render(graded.grades, speak))
        write_whole(folder / "timings.json", json.dumps(_timings(graded), indent=1, ensure_ascii=False) + "\n")
        write_whole(folder / "report.html", report_page.render(_students(graded), speak, isolation=level, seed=seed))
        _feedback(graded, folder / "feedback", speak_for, reveal=reveal)
    except OSError as error:
        raise StoreError(
            say(
                "{file}: {problem}. The games are kept: make room, or the folder writable, and run `grader report {folder}`.",
                file=str(error.filename or folder),
                problem=str(error.strerror),
                folder=str(folder),
            )
        ) from error


def _feedback(graded: Graded, folder: Path, speak_for: SpeakFor, *, reveal: bool) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        folder.unlink()
    folder.mkdir(exist_ok=True)
    by_id = {candidate.id: candidate for candidate in graded.prepared.candidates}
    for file in (*folder.glob("*.md"), *folder.glob("*.html")):
        if file.stem not in by_id:
            file.unlink()  # of somebody who is no longer among the submissions
    for grade in graded.grades:
        candidate = by_id.get(grade.id)
        if candidate is not None:
            speak = speak_for(candidate.assignment)
            write_whole(folder / f"{grade.id}.md", feedback_for(grade, candidate, graded, speak, reveal=reveal))
            write_whole(folder / f"{grade.id}.html", page_for(grade, candidate, graded, speak, reveal=reveal))


def feedback_for(grade: Grade, candidate: Candidate, graded: Graded, speak: Language, *, reveal: bool) -> str:
    """What the student of a submission is told, as Markdown."""
    assignment = candidate.assignment
    return feedback.render(
        grade,
        games_of(graded, candidate),
        speak,
        title=assignment.title,
        isolation=str(graded.prepared.level),
        limit=_limit(assignment.time),
        reveal=reveal,
    )


def page_for(grade: Grade, candidate: Candidate, graded: Graded, speak: Language, *, reveal: bool) -> str:
    """The same as a page of HTML, with the games to replay."""
    student = Student(grade=grade, assignment=candidate.assignment, played=games_of(graded, candidate))
    return feedback_page.render(student, speak, isolation=str(graded.prepared.level), reveal=reveal)


def _students(graded: Graded) -> list[Student]:
    """Everybody who has a grade, those without a submission included."""
    by_id = {candidate.id: candidate for candidate in graded.prepared.candidates}
    return [
        Student(
            grade=grade,
            assignment=candidate.assignment,
            played=games_of(graded, candidate),
            override=override.summary if (override := candidate.assignment.overrides.get(grade.id)) else None,
        )
        if (candidate := by_id.get(grade.id)) is not None
        else Student(grade=grade, assignment=graded.prepared.assignments[0])
        for grade in graded.grades
    ]


def _limit(time: MatchTime) -> Message:
    if time.move:
        return say("{seconds:g} s a move", seconds=time.move)
    return say("{seconds:g} s a game", seconds=time.bank or 0)


def _timings(graded: Graded) -> dict[str, Any]:
    """All that may differ between two runs: the machine, and how long each move took."""
    return {
        "grader": __version__,
        "python": platform.python_version(),
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": hardware(),
        "faults": list(graded.faults),
        "submissions": {
            candidate.id: [
                {
                    "opponent": candidate.assignment.opponents[fixture.opponent].name,
                    "game": fixture.number + 1,
                    "charged": [
                        round(turn.charge.charged, 3) for turn in graded.results[fixture.key].turns_of(fixture.seat)
                    ],
                }
                for fixture in candidate.planned
                if fixture.key in graded.results
            ]
            for candidate in graded.prepared.candidates
        },
    }
