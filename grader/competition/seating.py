"""Who sits down to a game: which code, as which player, with which seed, and what it is allowed."""

from dataclasses import replace

from grader.assignment import Assignment, Opponent
from grader.competition.records import Entrant, Prepared
from grader.engine.jobs import TrialJob, UnitJob
from grader.fixtures import REFERENCE, Fixture, Unit, derived_seed
from grader.inspection.players import ResolvedPlayer
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.process import Seating


def unit_job(prepared: Prepared, unit: Unit) -> UnitJob:
    """A unit, as a worker plays it."""
    assignment = prepared.assignment(unit[0])
    return UnitJob(
        keys=tuple(fixture.key for fixture in unit),
        seeds=tuple(fixture.seed for fixture in unit),
        game=assignment.rules,
        seatings=tuple(fixture_seatings(prepared, fixture) for fixture in unit),
        limits=assignment_limits(assignment, prepared.level),
    )


def trial_job(prepared: Prepared, entrant: Entrant) -> TrialJob:
    """A trial of a submission's player, as a worker plays it."""
    assignment = entrant.assignment
    return TrialJob(
        seating=entrant_seating(entrant, 1, derived_seed(assignment.seed, "trial")),
        game=assignment.rules,
        limits=assignment_limits(assignment, prepared.level),
    )


def fixture_seatings(prepared: Prepared, fixture: Fixture) -> tuple[Seating, Seating]:
    """Both seats of a game: the first moves first."""
    return _seating(prepared, fixture, 0), _seating(prepared, fixture, 1)


def _seating(prepared: Prepared, fixture: Fixture, seat: int) -> Seating:
    player, seed = fixture.players[seat], fixture.seeds[seat]
    if not player.startswith(REFERENCE):
        return entrant_seating(prepared.entrant(player), seat + 1, seed)
    assignment = prepared.assignment(fixture)
    opponent, found = prepared.opponent(assignment, player)
    return opponent_seating(
        assignment,
        opponent,
        found,
        prepared.level,
        player_id=seat + 1,
        seed=seed,
        opening=fixture.opening,
    )


def entrant_seating(entrant: Entrant, player_id: int, seed: int) -> Seating:
    """A submission's player, as this one of the two."""
    assert entrant.entry is not None
    return Seating(
        name=entrant.id,
        entry=entrant.entry.as_order(),
        player_id=player_id,
        seed=seed,
        extended=entrant.assignment.extended_board,
    )


def opponent_seating(
    assignment: Assignment,
    opponent: Opponent,
    player: ResolvedPlayer,
    level: Level,
    *,
    player_id: int = 1,
    seed: int = 0,
    opening: int = 0,
) -> Seating:
    """An opponent, as this one of the two players."""
    assert player.entry is not None
    return Seating(
        name=opponent.name,
        entry=player.entry.as_order(),
        player_id=player_id,
        seed=seed,
        options=player.options,
        opening=opening,
        limits=opponent_limits(assignment, opponent, level),
        reference=True,
        installed=player.reference,
    )


def assignment_limits(assignment: Assignment, level: Level) -> Limits:
    """What an assignment allows its players, at this isolation level."""
    time = assignment.time
    return Limits(
        time=TimeLimits(
            move=time.move or time.bank or 0.0,
            load=time.load,
            grace=time.grace,
            bank=time.bank,
            increment=time.increment,
            overrun=assignment.overrun,
        ),
        memory_mb=assignment.limits.memory_mb,
        descriptors=assignment.limits.descriptors,
        output_kb=assignment.limits.output_kb,
        scratch_mb=assignment.limits.scratch_mb,
        isolation=level,
        required=Level[assignment.isolation.upper()],
    )


def opponent_limits(assignment: Assignment, opponent: Opponent, level: Level) -> Limits:
    """What an opponent is allowed: as much as students, or what the assignment gives it instead."""
    limits = assignment_limits(assignment, level)
    time = limits.time
    if opponent.time.move is not None:
        time = replace(time, move=opponent.time.move, bank=None, increment=0.0)
    return replace(
        limits,
        time=replace(time, load=opponent.time.load or time.load),
        memory_mb=opponent.limits.memory_mb or limits.memory_mb,
        scratch_mb=limits.scratch_mb if opponent.limits.scratch_mb is None else opponent.limits.scratch_mb,
    )
