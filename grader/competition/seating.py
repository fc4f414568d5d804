"""Assign players to the seats of a game: code, player id, seed and limits."""

from dataclasses import replace

from grader.assignment import Assignment, Opponent
from grader.competition.records import Entrant, Setup
from grader.engine.jobs import TrialJob, UnitJob
from grader.fixtures import REFERENCE, Fixture, Unit
from grader.inspection.players import ResolvedPlayer
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.process import Seating
from grader.seeds import public_seed


def unit_job(setup: Setup, unit: Unit) -> UnitJob:
    """The job to play a unit."""
    assignment = setup.assignment(unit[0])
    return UnitJob(
        keys=tuple(fixture.key for fixture in unit),
        seeds=tuple(fixture.seed for fixture in unit),
        game=assignment.rules,
        seatings=tuple(fixture_seatings(setup, fixture) for fixture in unit),
        limits=assignment_limits(assignment, setup.level),
    )


def trial_job(setup: Setup, entrant: Entrant) -> TrialJob:
    """The job to try a submission's player."""
    assignment = entrant.assignment
    return TrialJob(
        seating=entrant_seating(entrant, 1, public_seed("trial")),
        game=assignment.rules,
        limits=assignment_limits(assignment, setup.level),
    )


def fixture_seatings(setup: Setup, fixture: Fixture) -> tuple[Seating, Seating]:
    """Both seats of a game; the first one moves first."""
    return fixture_seating(setup, fixture, 0), fixture_seating(setup, fixture, 1)


def fixture_seating(setup: Setup, fixture: Fixture, seat: int) -> Seating:
    """One seat of a game, with everything that its player depends on."""
    player, seed = fixture.players[seat], fixture.seeds[seat]
    if not player.startswith(REFERENCE):
        return entrant_seating(setup.entrant(player), seat + 1, seed)
    assignment = setup.assignment(fixture)
    opponent, found = setup.opponent(assignment, player)
    return opponent_seating(
        assignment,
        opponent,
        found,
        setup.level,
        player_id=seat + 1,
        seed=seed,
        opening=fixture.opening,
    )


def entrant_seating(entrant: Entrant, player_id: int, seed: int) -> Seating:
    """A submission's player, as player 1 or 2."""
    assert entrant.entry is not None
    return Seating(
        name=entrant.id,
        entry=entrant.entry.as_order(),
        player_id=player_id,
        seed=seed,
        extended=entrant.assignment.extended_board,
        may_read_clock=entrant.entry.may_read_clock,
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
    """An opponent, as player 1 or 2."""
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
    """The limits of an assignment's players, at this isolation level."""
    time = assignment.time
    return Limits(
        time=TimeLimits(
            move=time.move or time.bank or 0.0,
            load=time.load,
            grace=time.grace,
            bank=time.bank,
            increment=time.increment,
            overrun=assignment.overrun,
            reference_speed=time.reference_speed,
        ),
        memory_mb=assignment.limits.memory_mb,
        descriptors=assignment.limits.descriptors,
        output_kb=assignment.limits.output_kb,
        scratch_mb=assignment.limits.scratch_mb,
        isolation=level,
        required=min(level, Level[assignment.isolation.upper()]),
    )


def opponent_limits(assignment: Assignment, opponent: Opponent, level: Level) -> Limits:
    """The limits of an opponent: the students', with those that the assignment sets for it.

    An opponent that exceeds its time never continues with random moves: the game would count although it was not itself.
    """
    limits = assignment_limits(assignment, level)
    time = limits.time
    if opponent.time.move is not None:
        time = replace(time, move=opponent.time.move, bank=None, increment=0.0)
    return replace(
        limits,
        time=replace(time, load=opponent.time.load or time.load, overrun="forfeit"),
        memory_mb=opponent.limits.memory_mb or limits.memory_mb,
        scratch_mb=limits.scratch_mb if opponent.limits.scratch_mb is None else opponent.limits.scratch_mb,
    )
