"""Write the reports of a run into its results folder, each whole or not at all."""

import json
import os
import platform
import shutil
import tempfile
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from grader import __version__
from grader.pipeline.grades import Graded
from grader.pipeline.prepare import Candidate
from grader.records import MatchRecord
from grader.reports import feedback, grades_csv, results
from grader.scoring import Grade
from grader.store import StoreError


def publish(graded: Graded, folder: Path, *, reveal: bool = False) -> None:
    """Write `results.json`, `grades.csv`, `timings.json` and a feedback file for each submission."""
    prepared = graded.prepared
    seed, level = prepared.assignments[0].seed, str(prepared.level)
    try:
        _write(folder / "results.json", results.render(graded.grades, prepared.assignments, seed=seed, isolation=level))
        _write(folder / "grades.csv", "\ufeff" + grades_csv.render(graded.grades))
        _write(folder / "timings.json", json.dumps(_timings(graded), indent=1, ensure_ascii=False) + "\n")
        _feedback(graded, folder / "feedback", level, reveal=reveal)
    except OSError as error:
        raise StoreError(
            f"{error.filename or folder}: {error.strerror}. The games are kept: make the folder writable and run "
            f"`grader report {folder}`."
        ) from error


def _feedback(graded: Graded, folder: Path, level: str, *, reveal: bool) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        folder.unlink()
    folder.mkdir(exist_ok=True)
    by_id = {candidate.id: candidate for candidate in graded.prepared.candidates}
    for file in folder.glob("*.md"):
        if file.stem not in by_id:
            file.unlink()  # of somebody who is no longer among the submissions
    for grade in graded.grades:
        candidate = by_id.get(grade.id)
        if candidate is not None:
            _write(folder / f"{grade.id}.md", _told(grade, candidate, graded.results, level, reveal=reveal))


def _told(grade: Grade, candidate: Candidate, matches: Mapping[str, MatchRecord], level: str, *, reveal: bool) -> str:
    assignment = candidate.assignment
    played = [
        feedback.Played(fixture, assignment.opponents[fixture.opponent].name, matches[fixture.key])
        for fixture in candidate.planned
        if fixture.key in matches
    ]
    return feedback.render(
        grade,
        played,
        title=assignment.title,
        seed=assignment.seed,
        isolation=level,
        limit=f"{assignment.time.move:g} s a move" if assignment.time.move else f"{assignment.time.bank:g} s a game",
        reveal=reveal,
    )


def _timings(graded: Graded) -> dict[str, Any]:
    """All that may differ between two runs: the machine, and how long each move took."""
    return {
        "grader": __version__,
        "python": platform.python_version(),
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": f"{platform.system()} {platform.release()} {platform.machine()}",
        "faults": list(graded.faults),
        "submissions": {
            candidate.id: [
                {
                    "opponent": candidate.assignment.opponents[fixture.opponent].name,
                    "game": fixture.number + 1,
                    "charged": [
                        round(turn.charge.charged, 3) for turn in graded.results[fixture.key].turns[fixture.seat :: 2]
                    ],
                }
                for fixture in candidate.planned
                if fixture.key in graded.results
            ]
            for candidate in graded.prepared.candidates
        },
    }


def _write(file: Path, text: str) -> None:
    """Replace a file in one step, whatever it was: a link or a pipe that somebody put there is not followed."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".new")
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as opened:
        opened.write(text)
    Path(name).chmod(0o644)
    if file.is_dir() and not file.is_symlink():
        shutil.rmtree(file)
    Path(name).replace(file)
