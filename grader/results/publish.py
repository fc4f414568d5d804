"""Write the reports of a competition into its results folder, each file whole or not at all."""

import json
import platform
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from grader import __version__
from grader.assignment import Assignment
from grader.competition.grades import RunResult, grade
from grader.competition.records import Competition, Entrant
from grader.competition.tournament import TournamentResult, rate, tournament_matches
from grader.fixtures import player_name
from grader.language import Language, say
from grader.reports import feedback, results_json, spreadsheets, standings_json
from grader.reports.html import feedback as feedback_page
from grader.reports.html import report as report_page
from grader.reports.html import tournament as tournament_page
from grader.reports.html.student import Student
from grader.reports.labels import time_limit_label
from grader.results.write_files import write_whole
from grader.sandbox.machine import hardware
from grader.scoring.points import Grade
from grader.store import StoreError

GRADES, STANDINGS = "results.json", "standings.json"

SpeakFor = Callable[[Assignment], Language]
"""The language for the readers of an assignment."""
AnyResult = RunResult | TournamentResult


def conclude(competition: Competition) -> AnyResult:
    """The grades of a run, or the standings of a tournament."""
    return grade(competition) if competition.pairing is None else rate(competition)


def publish(result: AnyResult, folder: Path, *, speak_for: SpeakFor, reveal: bool = False) -> None:
    """Write everything that people and programs read: tables, pages and, after a run, feedback for each submission."""
    assignments = result.competition.prepared.assignments
    speak = speak_for(assignments[0])
    try:
        for old in folder.glob("crosstable*.csv"):
            old.unlink()  # of games that are no longer played
        for name, text in compared_files(result, speak).items():
            write_whole(folder / name, ("\ufeff" if name.endswith(".csv") else "") + text)
        write_whole(folder / "timings.json", json.dumps(_timings(result), indent=1, ensure_ascii=False) + "\n")
        if isinstance(result, RunResult):
            write_whole(folder / "report.html", _report(result, speak))
            _publish_feedback(result, folder / "feedback", speak_for, reveal=reveal)
        else:
            page = tournament_page.render(result, tournament_matches(result.competition), assignments, speak)
            write_whole(folder / "tournament.html", page)
    except OSError as error:
        raise StoreError(
            say(
                "{file}: {problem}. The games are kept: make room, or the folder writable, and run `grader report {folder}`.",
                file=str(error.filename or folder),
                problem=str(error.strerror),
                folder=str(folder),
            )
        ) from error


def compared_files(result: AnyResult, speak: Language) -> dict[str, str]:
    """The files that say nothing but what follows from the games, by name: `grader verify` compares them."""
    if isinstance(result, TournamentResult):
        found = {
            STANDINGS: standings_json.render(result),
            "standings.csv": spreadsheets.render_standings(result, speak),
        }
        for one in result:
            name = "crosstable.csv" if len(result) == 1 else f"crosstable-{one.terms.game}.csv"
            found[name] = spreadsheets.render_crosstable(one)
        return found
    prepared = result.prepared
    seed, level = prepared.assignments[0].seed, str(prepared.level)
    return {
        GRADES: results_json.render(result.grades, prepared.assignments, seed=seed, isolation=level),
        "grades.csv": spreadsheets.render_grades(result.grades, speak),
    }


def _report(result: RunResult, speak: Language) -> str:
    prepared = result.prepared
    by_id = {entrant.id: entrant for entrant in prepared.entrants}
    students = [
        Student(
            grade=one,
            assignment=entrant.assignment,
            played=result.matches_of(entrant),
            override=override.summary if (override := entrant.assignment.overrides.get(one.id)) else None,
        )
        if (entrant := by_id.get(one.id)) is not None
        else Student(grade=one, assignment=prepared.assignments[0])
        for one in result.grades
    ]
    return report_page.render(students, speak, isolation=str(prepared.level), seed=prepared.assignments[0].seed)


def _publish_feedback(result: RunResult, folder: Path, speak_for: SpeakFor, *, reveal: bool) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        folder.unlink()
    folder.mkdir(exist_ok=True)
    by_id = {entrant.id: entrant for entrant in result.prepared.entrants}
    for file in (*folder.glob("*.md"), *folder.glob("*.html")):
        if file.stem not in by_id:
            file.unlink()  # of a submission that is no longer there
    for one in result.grades:
        entrant = by_id.get(one.id)
        if entrant is not None:
            texts = feedback_files(one, entrant, result, speak_for(entrant.assignment), reveal=reveal)
            for suffix, text in texts.items():
                write_whole(folder / f"{one.id}{suffix}", text)


def feedback_files(
    one: Grade, entrant: Entrant, result: RunResult, speak: Language, *, reveal: bool, pages: bool = True
) -> dict[str, str]:
    """What the student of a submission gets, by suffix: Markdown and, with `pages`, a page with the games to replay."""
    assignment, isolation, played = entrant.assignment, str(result.prepared.level), result.matches_of(entrant)
    texts = {
        ".md": feedback.render(
            one,
            played,
            speak,
            title=assignment.title,
            isolation=isolation,
            limit=time_limit_label(assignment.time),
            reveal=reveal,
        )
    }
    if pages:
        student = Student(grade=one, assignment=assignment, played=played)
        texts[".html"] = feedback_page.render(student, speak, isolation=isolation, reveal=reveal)
    return texts


def _timings(result: AnyResult) -> Mapping[str, Any]:
    """All that may differ between two runs: the machine, and how long each move took."""
    competition = result.competition
    timings: dict[str, list[dict[str, Any]]] = {entrant.id: [] for entrant in competition.prepared.entrants}
    for fixture in competition.fixtures:
        record = competition.results.get(fixture.key)
        for seat, player in enumerate(fixture.players):
            if record is not None and player in timings:
                timings[player].append(
                    {
                        "opponent": player_name(fixture.players[1 - seat]),
                        "game": fixture.number + 1,
                        "charged": [round(turn.charge.charged, 3) for turn in record.turns_of(seat)],
                    }
                )
    return {
        "grader": __version__,
        "python": platform.python_version(),
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": hardware(),
        "faults": [str(one.text) for one in competition.unplayed],
        "submissions": timings,
    }
