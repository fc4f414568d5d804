"""Write the reports of a competition to its results folder, each file completely or not at all."""

import json
import platform
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

from grader import __version__
from grader.assignment import Assignment
from grader.competition import grades
from grader.competition.attention import find_attention
from grader.competition.disturbance import find_disturbance
from grader.competition.grades import RunResult
from grader.competition.records import Competition, Entrant
from grader.competition.tournament import TournamentResult, rate, tournament_matches
from grader.fixtures import player_name
from grader.language import Language, Message, say
from grader.records import as_json
from grader.reports import feedback, results_json, spreadsheets, standings_json
from grader.reports.html import feedback as feedback_page
from grader.reports.html import report as report_page
from grader.reports.html import tournament as tournament_page
from grader.reports.html.student import Student
from grader.reports.interim import interim_notice, mark_interim, student_notice
from grader.reports.machines import machines_label
from grader.reports.system_load import system_load
from grader.results.write_files import write_whole
from grader.sandbox.machine import hardware
from grader.scoring.points import Grade
from grader.store import StoreError, disk_advice

GRADES, STANDINGS = "results.json", "standings.json"

SpeakFor = Callable[[Assignment], Language]
"""The language for the readers of an assignment."""
AnyResult = RunResult | TournamentResult


def conclude(competition: Competition) -> AnyResult:
    """The grades of a run, or the standings of a tournament."""
    return grades.grade(competition) if competition.pairing is None else rate(competition)


def publish(result: AnyResult, folder: Path, *, speak_for: SpeakFor, reveal: bool = False) -> None:
    """Write all reports: tables, pages and, after a run, the feedback for each submission."""
    assignments = result.competition.setup.assignments
    speak = speak_for(assignments[0])
    notice = notice_of(result)
    write = partial(_write, notice=notice, speak=speak)
    try:
        for old in folder.glob("crosstable*.csv"):
            old.unlink()  # left from a game that is no longer played
        for name, content in compared_files(result, speak).items():
            write(folder / name, content)
        write(folder / "timings.json", json.dumps(_timings(result), indent=1, ensure_ascii=False) + "\n")
        if isinstance(result, RunResult):
            write(folder / "report.html", _report(result, speak))
            _publish_feedback(result, folder / "feedback", speak_for, reveal=reveal)
        else:
            write(folder / "tournament.html", _tournament(result, speak))
    except OSError as error:
        raise StoreError(
            say(
                "{file}: {problem}. The games are saved: {advice}, then run `grader report {folder}`.",
                file=str(error.filename or folder),
                problem=str(error.strerror),
                advice=disk_advice(error),
                folder=str(folder),
            )
        ) from error


def notice_of(result: AnyResult) -> Message | None:
    """That a result is interim, if it is."""
    competition = result.competition
    if not competition.interim:
        return None
    played, planned = competition.game_counts
    return interim_notice(played, planned, tournament=competition.pairing is not None)


def _write(file: Path, content: str | bytes, *, notice: Message | None, speak: Language) -> None:
    """Write a file. Every text of an interim result is marked here, whatever it contains."""
    if isinstance(content, str):
        content = content if notice is None else mark_interim(file.name, content, notice, speak)
        content = f"\ufeff{content}" if file.suffix == ".csv" else content
    write_whole(file, content)


def compared_files(result: AnyResult, speak: Language) -> dict[str, str | bytes]:
    """The files that follow from the games alone, by name: `grader verify` compares them."""
    if isinstance(result, TournamentResult):
        found: dict[str, str | bytes] = {
            STANDINGS: standings_json.render(result),
            "standings.csv": spreadsheets.render_standings(result, speak),
        }
        for standings in result:
            name = "crosstable.csv" if len(result) == 1 else f"crosstable-{standings.terms.game}.csv"
            found[name] = spreadsheets.render_crosstable(standings, speak)
        return found
    setup = result.setup
    seed, level = setup.assignments[0].secret, str(setup.level)
    zeros = {concern.grade.id: concern.reason for concern in find_attention(result).zeros}
    return {
        GRADES: results_json.render(result.grades, setup.assignments, seed=seed, isolation=level),
        "grades.csv": spreadsheets.render_grades(result.grades, speak, isolation=level, zeros=zeros),
        "grades.xlsx": spreadsheets.render_workbook(
            result.grades, speak, isolation=level, zeros=zeros, notice=notice_of(result)
        ),
    }


def _report(result: RunResult, speak: Language) -> str:
    setup = result.setup
    by_id = {entrant.id: entrant for entrant in setup.entrants}
    students = [
        Student(
            grade=grade,
            assignment=entrant.assignment,
            played=result.matches_of(entrant),
            override=override.summary if (override := entrant.assignment.overrides.get(grade.id)) else None,
        )
        if (entrant := by_id.get(grade.id)) is not None
        else Student(grade=grade, assignment=setup.assignments[0])
        for grade in result.grades
    ]
    competition = result.competition
    return report_page.render(
        students,
        speak,
        isolation=str(setup.level),
        seed=setup.assignments[0].secret,
        seal=competition.seal,
        finished=competition.finished,
        machine=machines_label(competition, speak),
        load=system_load(find_disturbance(competition), speak),
        attention=find_attention(result),
    )


def _tournament(result: TournamentResult, speak: Language) -> str:
    competition = result.competition
    return tournament_page.render(
        result,
        tournament_matches(competition),
        competition.setup.assignments,
        speak,
        seal=competition.seal,
        finished=competition.finished,
        machine=machines_label(competition, speak),
        load=system_load(find_disturbance(competition), speak),
    )


def _publish_feedback(result: RunResult, folder: Path, speak_for: SpeakFor, *, reveal: bool) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        folder.unlink()
    folder.mkdir(exist_ok=True)
    notice = student_notice(*result.competition.game_counts) if result.competition.interim else None
    by_id = {entrant.id: entrant for entrant in result.setup.entrants}
    for file in (*folder.glob("*.md"), *folder.glob("*.html")):
        if file.stem not in by_id:
            file.unlink()  # the submission no longer exists
    for grade in result.grades:
        entrant = by_id.get(grade.id)
        if entrant is not None:
            speak = speak_for(entrant.assignment)
            texts = feedback_files(grade, entrant, result, speak, reveal=reveal)
            for suffix, text in texts.items():
                _write(folder / f"{grade.id}{suffix}", text, notice=notice, speak=speak)


def feedback_files(
    grade: Grade, entrant: Entrant, result: RunResult, speak: Language, *, reveal: bool, pages: bool = True
) -> dict[str, str]:
    """A student's feedback by file suffix: Markdown and, with `pages`, an HTML page for replaying the games."""
    assignment, isolation, played = entrant.assignment, str(result.setup.level), result.matches_of(entrant)
    texts = {
        ".md": feedback.render(
            grade,
            played,
            speak,
            title=assignment.title,
            isolation=isolation,
            time=assignment.time,
            reveal=reveal,
            seal=result.competition.seal,
        )
    }
    if pages:
        student = Student(grade=grade, assignment=assignment, played=played)
        texts[".html"] = feedback_page.render(
            student,
            speak,
            isolation=isolation,
            reveal=reveal,
            seal=result.competition.seal,
            finished=result.competition.finished,
        )
    return texts


def _timings(result: AnyResult) -> Mapping[str, Any]:
    """Everything that may differ between two runs: the machine, the date, and the time for each move."""
    competition = result.competition
    timings: dict[str, list[dict[str, Any]]] = {entrant.id: [] for entrant in competition.setup.entrants}
    for fixture in competition.fixtures:
        record = competition.results.get(fixture.key)
        for seat, player in enumerate(fixture.players):
            if record is not None and player in timings:
                timings[player].append(
                    {
                        "opponent": player_name(fixture.players[1 - seat]),
                        "game": fixture.number + 1,
                        "charged": [round(charge.charged, 3) for charge in record.charges_of(seat)],
                    }
                )
    return {
        "grader": __version__,
        "python": platform.python_version(),
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": hardware(),
        "load": as_json(find_disturbance(competition)),
        "speed": competition.speed,
        "faults": [str(game.text) for game in competition.unplayed],
        "submissions": timings,
    }
