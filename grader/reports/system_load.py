"""How busy the machine was during a run or tournament, in a few sentences."""

from collections.abc import Iterator

from grader.competition.disturbance import Disturbance
from grader.language import Language, Message, say

_BUSY = 0.05
"""If players waited for this share of their time, the machine was busy."""
_NEGLIGIBLE = 0.01


def system_load(disturbance: Disturbance, speak: Language) -> str:
    """How much the games were disturbed; empty if that is not known."""
    return " ".join(map(speak, _sentences(disturbance)))


def _sentences(found: Disturbance) -> Iterator[Message]:
    share = None if found.waited_share is None else _share_label(found.waited_share)
    if found.replayed:
        yield say(
            "The machine was busy: {n} game was played again.",
            "The machine was busy: {n} games were played again.",
            n=found.replayed,
        )
        if share is not None:
            yield say("In the games that count, players waited {share} of their time for a core.", share=share)
    elif share is not None and found.waited_share is not None and found.waited_share >= _BUSY:
        yield say("The machine was busy: players waited {share} of their time for a core.", share=share)
    elif share is not None:
        yield say("Players waited {share} of their time for a core.", share=share)
    if found.fewest is not None:
        yield say(
            "At times, only {n} game was played at a time.",
            "At times, only {n} games were played at a time.",
            n=found.fewest,
        )
    if found.replayed_after_errors:
        yield say(
            "{n} game was played again because of a grader error.",
            "{n} games were played again because of grader errors.",
            n=found.replayed_after_errors,
        )


def _share_label(share: float) -> Message:
    return say("less than 1 %") if share < _NEGLIGIBLE else say("{share:.0%}", share=share)
