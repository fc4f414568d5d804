"""Who sits down to a game: which code, as which player, with which seed, and what it is allowed."""

from dataclasses import replace
from typing import TYPE_CHECKING

from grader.assignment import Assignment, Opponent
from grader.fixtures import Fixture
from grader.inspection.players import ResolvedPlayer
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits, Overrun, TimeLimits
from grader.sandbox.process import Seating

if TYPE_CHECKING:
    from grader.competition.prepare import Candidate


def limits_of(assignment: Assignment, level: Level) -> Limits:
    """What an assignment allows its players, at this isolation level."""
    time = assignment.time
    return Limits(
        time=TimeLimits(
            move=time.move or time.bank or 0.0,
            load=time.load,
            grace=time.grace,
            bank=time.bank,
            increment=time.increment,
            overrun=Overrun(assignment.overrun),
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
    limits = limits_of(assignment, level)
    time = limits.time
    if opponent.time.move is not None:
        time = replace(time, move=opponent.time.move, bank=None, increment=0.0)
    return replace(
        limits,
        time=replace(time, load=opponent.time.load or time.load),
        memory_mb=opponent.limits.memory_mb or limits.memory_mb,
        scratch_mb=limits.scratch_mb if opponent.limits.scratch_mb is None else opponent.limits.scratch_mb,
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


def seated(candidate: "Candidate", player_id: int, seed: int) -> Seating:
    """A submission's player, as this one of the two."""
    assert candidate.player.entry is not None
    return Seating(
        name=candidate.id,
        entry=candidate.player.entry.as_order(),
        player_id=player_id,
        seed=seed,
        extended=candidate.assignment.extended_board,
    )


def paired(candidate: "Candidate", fixture: Fixture, player: ResolvedPlayer, level: Level) -> tuple[Seating, Seating]:
    """Who sits where in a fixture against this opponent: the first moves first."""
    own = seated(candidate, fixture.seat + 1, fixture.seed)
    other = opponent_seating(
        candidate.assignment,
        candidate.assignment.opponents[fixture.opponent],
        player,
        level,
        player_id=2 - fixture.seat,
        seed=fixture.opponent_seed,
        opening=fixture.opening,
    )
    return (own, other) if fixture.seat == 0 else (other, own)
