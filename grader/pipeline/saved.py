"""Keep what a run was about beside its games, so that its grades and reports can be made again without playing."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from grader.assignment import Assignment, read_assignments, written
from grader.engine.jobs import Trial
from grader.errors import OptionError
from grader.intake.collect import Submission
from grader.intake.players import Contender
from grader.intake.roster import RosterEntry
from grader.pipeline.grades import Graded, grades
from grader.pipeline.prepare import Candidate, Prepared, Request
from grader.records import Finding, as_json
from grader.sandbox.isolation import Level
from grader.schedule import Fixture
from grader.store import Store

NOTE = "run"


def save(store: Store, graded: Graded) -> None:
    """Keep everything about a run that its games do not say."""
    prepared = graded.prepared
    store.note(
        NOTE,
        {
            "assignments": [written(assignment) for assignment in prepared.assignments],
            "candidates": [_candidate_json(candidate, prepared.assignments) for candidate in prepared.candidates],
            "unloadable": {name: trial.as_json() for name, trial in graded.unloadable.items()},
            "roster": as_json(prepared.request.roster),
            "only": list(prepared.request.only),
            "level": str(prepared.level),
            "faults": list(graded.faults),
        },
    )


def load(store: Store) -> Graded:
    """The run that was kept, graded anew from its games."""
    note = store.noted(NOTE)
    if note is None:
        raise OptionError("these results hold no finished run: run `grader run` with the same -o until it is done")
    assignments = tuple(
        assignment for text in note["assignments"] for assignment in read_assignments(text.encode(), "results")
    )
    candidates = tuple(_candidate(data, assignments) for data in note["candidates"])
    prepared = Prepared(
        request=Request(
            path=Path(),
            results=Path(),
            only=tuple(note["only"]),
            roster=tuple(RosterEntry(**entry) for entry in note["roster"]),
        ),
        assignments=assignments,
        candidates=candidates,
        rivals={},
        level=Level[note["level"].upper()],
    )
    keys = [fixture.key for candidate in candidates for fixture in candidate.planned]
    results = {key: record for key in keys if (record := store.get(key)) is not None}
    unloadable = {name: Trial.from_json(data) for name, data in note["unloadable"].items()}
    return grades(prepared, unloadable, results, note["faults"])


def with_others(store: Store, graded: Graded) -> Graded:
    """The same with everybody who was graded before and not this time, so that a part does not replace the whole."""
    if store.noted(NOTE) is None:
        return graded
    before = load(store)
    again = {candidate.id for candidate in graded.prepared.candidates}
    others = tuple(candidate for candidate in before.prepared.candidates if candidate.id not in again)
    known = [*before.prepared.assignments]
    known += [assignment for assignment in graded.prepared.assignments if assignment not in known]
    prepared = replace(
        graded.prepared,
        request=before.prepared.request,
        assignments=tuple(known),
        candidates=(*graded.prepared.candidates, *others),
    )
    kept = {name: trial for name, trial in before.unloadable.items() if name not in again}
    return grades(prepared, {**kept, **graded.unloadable}, {**before.results, **graded.results}, graded.faults)


def _candidate_json(candidate: Candidate, assignments: tuple[Assignment, ...]) -> dict[str, Any]:
    return {
        "submission": {
            part.name: as_json(getattr(candidate.submission, part.name))
            for part in fields(candidate.submission)
            if part.name not in ("folder", "submitted_at")
        },
        "assignment": assignments.index(candidate.assignment),
        "planned": as_json(candidate.planned),
        "findings": as_json(candidate.findings),
    }


def _candidate(data: dict[str, Any], assignments: tuple[Assignment, ...]) -> Candidate:
    submission = data["submission"]
    findings = tuple(Finding(**finding) for finding in data["findings"])
    return Candidate(
        submission=Submission(
            **{
                **submission,
                "folder": Path(),
                "members": tuple(submission["members"]),
                "findings": tuple(Finding(**finding) for finding in submission["findings"]),
                "problem": submission["problem"] and Finding(**submission["problem"]),
            }
        ),
        assignment=assignments[data["assignment"]],
        player=Contender(name=submission["id"], entry=None, findings=findings),
        planned=tuple(Fixture(**fixture) for fixture in data["planned"]),
        findings=findings,
        identity={},
    )
