"""How much of its time a player uses, and on what."""

from collections.abc import Sequence
from statistics import median

from grader.checks.observations import Observations
from grader.checks.subject import CheckSubject
from grader.games.endings import move_count
from grader.games.exam import Mark, Verdict
from grader.language import Message, say
from grader.records import Charge, Ending
from grader.sandbox.limits import Limits

MUCH = 0.8
"""The share of its time that a player should stay below, because other machines may be slower."""
_LONG = 0.2
"""Seconds: how shorter moves were spent cannot be measured reliably."""


def time_verdict(subject: CheckSubject, observed: Observations) -> Verdict | None:
    """How much of its time it uses; None if it ran out of time, which is reported as a fault.

    It is warned even if only the wall time comes near the limit.
    """
    if any(fault.ending is Ending.TIMEOUT for _, fault in observed.faults()):
        return None
    charges = observed.charges()
    time = subject.limits.time_in_force
    moves: list[tuple[Charge, ...]] = [(charge,) for charge in charges]
    periods = moves if time.bank is None else [game.charges for game in observed.games] or moves
    limit = time.move if time.bank is None else time.bank
    share = max(sum(charge.charged for charge in period) for period in periods) / limit
    wall = max(sum(charge.wall for charge in period) for period in periods)
    unfinished = max((game.pending for game in observed.games), default=0.0)
    values: dict[str, str | int | float] = {
        "moves": move_count(len(charges)),
        "slowest": max(charge.charged for charge in charges),
        "median": median(charge.charged for charge in charges),
        "share": share,
        "limit": limit,
    }
    text = (
        say(
            "Move times: median {median:.2f} s, slowest {slowest:.2f} s ({share:.0%} of the {limit:g} s limit), {moves}.",
            **values,
        )
        if time.bank is None
        else say(
            "Time per game: up to {share:.0%} of the {limit:g} s limit ({moves}, slowest {slowest:.2f} s).", **values
        )
    )
    usage = describe_usage(charges)
    if usage is not None:
        text = say("{text} {usage}", text=text, usage=usage)
    if (scaled := _scaled_limit(subject.limits)) is not None:
        text = say("{text} {usage}", text=text, usage=scaled)
    help_ = _warning(share, max(wall, unfinished) / limit)
    mark = Mark.NOTE if help_ else Mark.GOOD
    ratio = _ratio(subject)
    if ratio is not None:
        text = say("{text} {usage}", text=text, usage=_prediction(subject, ratio, share))
        if (there := share * ratio) > MUCH:
            help_ = _warning_about_grading(there) if there > 1 or not help_ else help_
            is_late = share * limit * ratio > limit + time.grace and not _watches_clock(subject)
            mark = Mark.BAD if is_late else Mark.NOTE
    return Verdict(mark=mark, topic=say("time limit"), text=text, help=help_)


def _scaled_limit(limits: Limits) -> Message | None:
    """That the limit here is scaled to the speed of this machine, if it is."""
    if limits.time.reference_speed is None or limits.speed is None:
        return None
    return say(
        "The limit is scaled to this machine: {limit:g} s is for speed {reference:g}, and this machine has {speed:g}.",
        limit=limits.time.move if limits.time.bank is None else limits.time.bank,
        reference=limits.time.reference_speed,
        speed=limits.speed,
    )


def _ratio(subject: CheckSubject) -> float | None:
    """How many times as fast as the machine that grades this one is, if that is known and the limits are not scaled."""
    there, here = subject.assignment.time.machine_speed, subject.limits.speed
    return None if there is None or here is None else here / there


def _watches_clock(subject: CheckSubject) -> bool:
    """Whether it may take no longer on a slower machine, because it stops by its own clock."""
    entry = subject.entrant.entry
    return entry is None or entry.may_read_clock


def _prediction(subject: CheckSubject, ratio: float, share: float) -> Message:
    """How long its slowest move, or all moves of a game, would take on the machine that grades."""
    time = subject.limits.time
    limit = time.move if time.bank is None else time.bank
    values: dict[str, str | int | float] = {"ratio": ratio, "seconds": share * limit * ratio, "limit": limit}
    if time.bank is not None:
        text = say(
            "This machine is {ratio:.1f}× as fast as the machine that grades: a game would take your player {seconds:.1f} s of {limit:g} s "
            "there.",
            **values,
        )
    else:
        text = say(
            "This machine is {ratio:.1f}× as fast as the machine that grades: your slowest move would take {seconds:.1f} s of {limit:g} s "
            "there.",
            **values,
        )
    if not _watches_clock(subject):
        return text
    return say(
        "{text} {usage}", text=text, usage=say("If your player watches the clock, it searches less there instead.")
    )


def _warning_about_grading(share: float) -> str:
    if share > 1:
        return say("Search less, or check the time during the search: on the machine that grades, that is too slow.")
    return say("Stay below {share:.0%} of the limit on the machine that grades.", share=MUCH)


def _warning(share: float, wall_share: float) -> str:
    """What to do if it uses much of its time. Waiting for a busy core is not charged, but on an idle machine all time is."""
    if share > MUCH:
        return say("Stay below {share:.0%} of the limit: the grading machine may be slower.", share=MUCH)
    if wall_share > MUCH:
        return say(
            "In wall time it took {share:.0%} of the limit, but waiting for a busy machine does not count. If your player "
            "watches the clock, make it stop at {most:.0%} of the limit: on an idle machine all of that time counts.",
            share=wall_share,
            most=MUCH,
        )
    return ""


def describe_usage(charges: Sequence[Charge]) -> Message | None:
    """What its long moves were spent on, if that is worth mentioning. Only known on Linux."""
    long = [charge for charge in charges if charge.wall > _LONG and charge.cpu > 0]
    wall, cpu, waited = (sum(getattr(charge, part) for charge in long) for part in ("wall", "cpu", "waited"))
    if cpu > 1.3 * wall:
        return say("It uses several cores at once, and the time on all of them counts.")
    if wall and cpu < 0.5 * (wall - waited):
        return say("It spent more than half of that time sleeping or waiting.")
    if waited > 0.2 * wall:
        return say("This machine was busy, so these times are less reliable than usual.")
    return None
