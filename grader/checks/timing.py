"""What a player uses of its time, and on what."""

from collections.abc import Sequence
from statistics import median

from grader.checks.observations import Observations
from grader.checks.subject import CheckSubject
from grader.games.exam import Mark, Verdict
from grader.language import Message, say
from grader.records import Charge

MUCH = 0.8
"""Of its time, that a player should stay below: other machines are slower."""
_LONG = 0.2
"""Seconds: in shorter moves nothing is to be read from how they were spent."""


def time_verdict(subject: CheckSubject, observed: Observations) -> Verdict:
    """What it uses of its time, also if it is only by the clock on the wall that it comes near the limit."""
    charges = observed.charges()
    time = subject.limits.time
    moves: list[tuple[Charge, ...]] = [(charge,) for charge in charges]
    limited = moves if time.bank is None else [game.charges for game in observed.games] or moves
    limit = time.move if time.bank is None else time.bank
    share = max(sum(charge.charged for charge in spell) for spell in limited) / limit
    on_the_wall = max(sum(charge.wall for charge in spell) for spell in limited)
    cut_off = max((game.pending for game in observed.games), default=0.0)  # a move that nobody knows the end of
    values = {
        "moves": len(charges),
        "slowest": max(charge.charged for charge in charges),
        "median": median(charge.charged for charge in charges),
        "share": share,
        "limit": limit,
    }
    one = say("1 move took {slowest:.2f} s: {share:.0%} of the {limit:g} s for a move.", **values)
    text = (
        one
        if time.bank is None and len(charges) == 1
        else say(
            "{moves} moves took a median of {median:.2f} s, and the slowest {slowest:.2f} s: {share:.0%} of the {limit:g} s for a move.",
            **values,
        )
        if time.bank is None
        else say("A game took {share:.0%} of its {limit:g} s, the slowest of {moves} moves {slowest:.2f} s.", **values)
    )
    spent = describe_spending(charges)
    if spent is not None:
        text = say("{text} {spent}", text=text, spent=spent)
    help_ = _warning(share, max(on_the_wall, cut_off) / limit)
    return Verdict(mark=Mark.NOTE if help_ else Mark.GOOD, topic=say("time"), text=text, help=help_)


def _warning(share: float, on_the_wall: float) -> str:
    """What to do, if it uses much of its time. Waiting for a busy machine is not charged, and a quiet one has none of it."""
    if share > MUCH:
        return say("Stay below {share:.0%} of the limit: where it is graded, the machine may be slower.", share=MUCH)
    if on_the_wall > MUCH:
        return say(
            "By the clock on the wall it took {share:.0%} of the limit: this machine was busy, and waiting for it is not charged. "
            "If your player looks at the clock to know when to stop, let it stop at {most:.0%}: a quiet machine charges all of it.",
            share=on_the_wall,
            most=MUCH,
        )
    return ""


def describe_spending(charges: Sequence[Charge]) -> Message | None:
    """What its long moves were spent on, if that is worth a word. Only Linux tells."""
    long = [charge for charge in charges if charge.wall > _LONG and charge.cpu > 0]
    wall, cpu, waited = (sum(getattr(charge, part) for charge in long) for part in ("wall", "cpu", "waited"))
    if cpu > 1.3 * wall:
        return say("It computes on several cores at once, and all of them are counted.")
    if wall and cpu < 0.5 * (wall - waited):
        return say("In more than half of its time it computed nothing: it sleeps or waits.")
    if waited > 0.2 * wall:
        return say("This machine was busy, so the figures are less sure than usual.")
    return None
