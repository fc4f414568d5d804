"""How much the games of a competition were disturbed: how long players waited for a core, and which games were played again."""

from dataclasses import dataclass

from grader.competition.records import Competition


@dataclass(frozen=True, slots=True, kw_only=True)
class Disturbance:
    """How much the games of a competition were disturbed, from their records."""

    waited_share: float | None
    """The share of the time of all moves that counted in which the player waited for a core; None where it is not measured."""
    replayed: int
    """How many games were played again because the machine was too busy."""
    replayed_after_errors: int
    """How many games were played again only because of other errors of the grader."""
    fewest: int | None
    """How many units of games were played at a time at the least, because the machine was busy; None if that was never limited."""


def find_disturbance(competition: Competition) -> Disturbance:
    """How much a competition was disturbed, whether it was just played or loaded from a results folder."""
    keys = {fixture.key for fixture in competition.fixtures} & competition.results.keys()
    records = [competition.results[key] for key in keys]
    charges = [record.total_charge() for record in records]
    wall, waited = sum(charge.wall for charge in charges), sum(charge.waited for charge in charges)
    is_measured = any(charge.cpu for charge in charges)  # other systems than Linux only tell the wall time
    return Disturbance(
        waited_share=waited / wall if is_measured and wall else None,
        replayed=sum(record.busy_attempts > 0 for record in records),
        replayed_after_errors=sum(bool(record.attempts) and not record.busy_attempts for record in records),
        fewest=competition.fewest,
    )
