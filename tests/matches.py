"""Assignments, fixtures and records for tests of scoring and reports."""

from pathlib import Path
from typing import Any

from grader.assignment import Assignment
from grader.competition.gauntlet import gauntlet_fixtures
from grader.competition.records import Entrant
from grader.fixtures import Fixture
from grader.intake.submission import Submission
from grader.records import Charge, Fault, MatchRecord, SeatReport, Turn


def assignment(*opponents: dict[str, Any], **changes: Any) -> Assignment:
    """A small Hex assignment against these opponents."""
    listed = opponents or ({"player": "random", "points": 10, "games": 4},)
    return Assignment.model_validate(
        {"title": "Test", "game": "hex", "options": {"size": 3}, "seed": 0, "opponents": list(listed), **changes}
    )


def planned(of: Assignment, submission: str = "one") -> tuple[Fixture, ...]:
    """The fixtures of a submission with this name."""
    return gauntlet_fixtures([entrant(of, submission)])


def entrant(of: Assignment, id_: str = "one", **changes: Any) -> Entrant:
    """A submission without files."""
    submission = Submission(id=id_, name=id_, folder=Path(), digest=id_)
    known = {"entry": None, "findings": (), "identity": {"content": id_}}
    drawn = of if of.seed is not None else of.model_copy(update={"seed": 0})
    return Entrant(submission=submission, assignment=drawn, **{**known, **changes})


def record(
    winner: int | None,
    *,
    moves: str = "a1 b2",
    fault: Fault | None = None,
    at_fault: int | None = None,
    seconds: float = 0.1,
) -> MatchRecord:
    """A match with this outcome."""
    charge = Charge(wall=seconds, cpu=seconds, waited=0.0, charged=seconds)
    seats = (SeatReport(name="first", isolation="good"), SeatReport(name="second", isolation="good"))
    return MatchRecord(
        game="hex",
        options={"size": 3},
        seed=1,
        seats=seats,
        turns=tuple(Turn(move=move, charge=charge) for move in moves.split()),
        ending=fault.ending if fault else "connected",
        winner=winner,
        fault=fault,
        at_fault=at_fault,
    )


def results(of: tuple[Fixture, ...], outcomes: str) -> dict[str, MatchRecord]:
    """A record for each fixture: `w` won by the student, `l` lost, `d` drawn, `.` not played."""
    found = {}
    for at, (fixture, outcome) in enumerate(zip(of, outcomes, strict=False)):
        if outcome != ".":
            winner = {"w": fixture.seat, "l": 1 - fixture.seat, "d": None}[outcome]
            found[fixture.key] = record(winner, moves=f"a1 b{at + 1}")
    return found
