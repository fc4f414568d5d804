"""Keep what a run was about beside its games, so that its grades and reports can be made again without playing.

With it are kept a hash of each game, and one of all this together, the seal: what is changed afterwards can be told.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from grader.assignment import Assignment, AssignmentOrigin, read_assignments, render_assignment
from grader.competition.grades import Graded, grades
from grader.competition.prepare import Candidate, Prepared, Request
from grader.engine.jobs import Trial
from grader.errors import OptionError
from grader.fixtures import Fixture
from grader.games import Game
from grader.games.known import UnknownGame, recorded_game
from grader.inspection.players import Contender
from grader.intake.collect import Submission
from grader.intake.roster import RosterEntry
from grader.language import Message, from_json, say, to_json
from grader.records import Finding, MatchRecord, as_json, read_finding
from grader.sandbox.isolation import Level
from grader.sandbox.machine import described
from grader.store import Store

NOTE = "run"
TOURNAMENT = "tournament"
"""What the notes of a run and of a tournament are called. A folder that an older grader has written can have both."""
_SEAL_OF = "seal of {name}"
NOT_OURS = (AttributeError, LookupError, TypeError, ValueError, ArithmeticError)
"""What reading a note raises that the grader did not write."""


def alone(store: Store, name: str) -> None:
    """See that a run does not begin where a tournament was held, nor a tournament where a run was: reports would mix."""
    if store.noted(name) is None and store.noted(TOURNAMENT if name == NOTE else NOTE) is not None:
        raise OptionError(
            say("these are the results of a tournament: name another folder for the run with -o")
            if name == NOTE
            else say("these are the results of a run: name another folder for the tournament with -o")
        )


def save(store: Store, graded: Graded) -> None:
    """Keep everything about a run that its games do not say."""
    prepared = graded.prepared
    keys = [fixture.key for candidate in prepared.candidates for fixture in candidate.planned]
    keep(
        store,
        NOTE,
        {
            "assignments": [render_assignment(assignment) for assignment in prepared.assignments],
            "rules": [[assignment.rules.name, assignment.rules.digest()] for assignment in prepared.assignments],
            "folder": str(prepared.assignments[0].folder),
            "candidates": [_candidate_json(candidate, prepared.assignments) for candidate in prepared.candidates],
            "unloadable": {name: trial.as_json() for name, trial in graded.unloadable.items()},
            "roster": as_json(prepared.request.roster),
            "only": list(prepared.request.only),
            "level": str(prepared.level),
            "faults": [to_json(fault) if isinstance(fault, Message) else fault for fault in graded.faults],
            "path": str(prepared.request.path),
            "machine": described(),
            "games": digests(store, keys),
        },
    )


def keep(store: Store, name: str, note: dict[str, Any]) -> None:
    """Keep a note with its seal."""
    store.note(name, note)
    store.note(_SEAL_OF.format(name=name), seal(note))


def kept_seal(store: Store, name: str) -> str | None:
    """The seal that was kept with a note."""
    kept = store.noted(_SEAL_OF.format(name=name))
    return kept if isinstance(kept, str) else None


def seal(note: dict[str, Any]) -> str:
    """A hash of all that a note says; with the hashes of the games in it, of everything that was kept."""
    return hashlib.sha256(json.dumps(note).encode()).hexdigest()


def digests(store: Store, keys: Iterable[str]) -> dict[str, str]:
    """The hash of each of these games that was played."""
    return {key: digest for key in keys if (digest := store.digest(key))}


def load(store: Store, get: Callable[[str], MatchRecord | None] | None = None) -> Graded:
    """The run that was kept, graded anew from its games: from what `get` finds of them, if not from all in the store."""
    note = store.noted(NOTE)
    if note is None:
        raise OptionError(_no_run(store))
    try:
        prepared = _prepared(note)
        trials = {name: Trial.from_json(data) for name, data in note["unloadable"].items()}
        faults = [from_json(fault) if isinstance(fault, list) else fault for fault in note["faults"]]
        checked(dict[str, Trial], trials)
        checked(list[str], faults)
        check_digests(note)
        keys = [fixture.key for candidate in prepared.candidates for fixture in candidate.planned]
        results = {key: record for key in keys if (record := (get or store.get)(key)) is not None}
        return grades(prepared, trials, results, faults)
    except UnknownGame:
        raise
    except NOT_OURS as error:
        raise store.unreadable(error) from error


def machine_of(store: Store) -> str:
    """Which grader, Python and system worked out the grades; empty if an older grader did, which did not say."""
    note = store.noted(NOTE)
    return str(note.get("machine", "")) if isinstance(note, dict) else ""


def check_digests(note: dict[str, Any]) -> None:
    """See that the hashes of a note are some, if it has any: an older grader kept none."""
    checked(dict[str, str], note.get("games", {}))


def checked(kind: Any, value: Any) -> Any:
    """A value that was read, if all in it is of the kind that it should be. Raises `ValueError` with the place if not."""
    try:
        _adapter(kind).validate_python((value,))
    except ValidationError as error:
        wrong = error.errors()[0]
        raise ValueError(f"{'.'.join(map(str, wrong['loc'][1:]))}: {wrong['msg']}") from None
    return value


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    # In a tuple: a dataclass by itself cannot be told how strictly it is looked at.
    return TypeAdapter(tuple[kind], config=ConfigDict(strict=True, revalidate_instances="always"))


def _no_run(store: Store) -> Message:
    if store.noted(TOURNAMENT) is not None:
        return say("these are the results of a tournament, which gives no grades: `grader replay` shows its games")
    return say("this run is incomplete: run the same command again to finish it")


def _prepared(note: dict[str, Any]) -> Prepared:
    rules = note.get("rules", [["", ""]] * len(note["assignments"]))
    assignments = tuple(
        assignment
        for text, (name, digest) in zip(note["assignments"], checked(list[list[str]], rules), strict=True)
        for assignment in _assignments(text, name, digest, Path(note.get("folder", "")))
    )
    candidates = tuple(_candidate(data, assignments) for data in note["candidates"])
    if not assignments:
        raise ValueError("no assignment")
    return Prepared(
        request=Request(
            path=Path(note.get("path", "")),
            results=Path(),
            only=checked(tuple[str, ...], tuple(note["only"])),
            roster=checked(tuple[RosterEntry, ...], tuple(RosterEntry(**entry) for entry in note["roster"])),
        ),
        assignments=assignments,
        candidates=candidates,
        rivals={},
        level=Level[note["level"].upper()],
    )


def _assignments(text: str, name: str, digest: str, folder: Path) -> tuple[Assignment, ...]:
    """An assignment that was kept, with the game by which it was played."""
    kind = recorded_game(name, digest) if name else None

    def find(_: str) -> type[Game]:
        if kind is None:
            raise UnknownGame(say("these results do not say by which game they were played"))
        return kind

    origin = AssignmentOrigin(folder, find)  # never a file that the results name: they may be anybody's
    return read_assignments(text.encode(), "results", origin=origin)


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
            if part.name != "folder"
        },
        "assignment": assignments.index(candidate.assignment),
        "planned": as_json(candidate.planned),
        "findings": as_json(candidate.findings),
        "identity": dict(candidate.identity),
    }


def _candidate(data: dict[str, Any], assignments: tuple[Assignment, ...]) -> Candidate:
    submission = data["submission"]
    findings = tuple(read_finding(finding) for finding in data["findings"])
    assignment = assignments[data["assignment"]]
    planned = tuple(Fixture(**fixture) for fixture in data["planned"])
    if not all(fixture.opponent in range(len(assignment.opponents)) for fixture in planned):
        raise IndexError("an opponent that the assignment has not")
    return Candidate(
        submission=checked(
            Submission,
            Submission(
                **{
                    **submission,
                    "folder": Path(),
                    "members": tuple(submission["members"]),
                    "findings": tuple(read_finding(finding) for finding in submission["findings"]),
                    "problem": submission["problem"] and read_finding(submission["problem"]),
                }
            ),
        ),
        assignment=assignment,
        player=Contender(name=submission["id"], entry=None, findings=findings),
        planned=checked(tuple[Fixture, ...], planned),
        findings=checked(tuple[Finding, ...], findings),
        identity=checked(dict[str, int | str | list[str] | dict[str, str] | None], data.get("identity", {})),
    )
