"""`grader doctor`: the isolation levels that this machine supports, and what they mean."""

import sys
from collections.abc import Sequence

from tabulate import tabulate

from grader.language import Language, Message, say
from grader.sandbox.isolation import Level
from grader.sandbox.machine import LevelOffer
from grader.sandbox.threats import THREATS

_DESCRIPTIONS = {
    Level.NONE: say("a separate process that can be killed"),
    Level.BASIC: say("limits on memory, open files and file size of one process, which ends with the grader"),
    Level.GOOD: say("no capabilities, access only to granted files (Landlock), few system calls (seccomp)"),
    Level.STRONG: say("all of the above, in its own namespaces (bubblewrap)"),
}


def render(offers: Sequence[LevelOffer], speak: Language) -> str:
    """The levels, the best available one, which attacks it blocks, and how to reach the next one."""
    best = max(offer.level for offer in offers if offer.available)
    rows = [
        [str(offer.level), speak(_yes_or_no(offer.available)), speak(_DESCRIPTIONS[offer.level])] for offer in offers
    ]
    threats = [
        [speak(threat.what), *("✓" if level >= threat.stopped_from else "–" for level in Level)] for threat in THREATS
    ]
    parts = [
        speak.say("Players run at isolation level {level} on this machine.", level=str(best)),
        tabulate(rows, [speak.say("level"), speak.say("available"), speak.say("description")]),
        speak.say("Attacks that each level blocks:"),
        tabulate(threats, [speak.say("attack"), *map(str, Level)], colalign=("left", *("center",) * len(Level))),
    ]
    missing = next((offer for offer in offers if not offer.available), None)
    if missing is not None:
        parts.append(speak.say("To reach {level}: {reason}.", level=str(missing.level), reason=missing.reason))
    unblocked = [speak(threat.what) for threat in THREATS if threat.stopped_from > best]
    if unblocked:
        parts.append(speak.say("Not blocked on this machine:") + "\n" + "\n".join(f"  - {what}" for what in unblocked))
    parts.append(speak(_time_rule()))
    return "\n\n".join(parts)


def _yes_or_no(available: bool) -> Message:
    return say("yes") if available else say("no")


def _time_rule() -> Message:
    if sys.platform == "linux":
        return say("Time charged per move: max(CPU time, wall time − time spent waiting for a core).")
    return say(
        "Time charged per move: wall time. A busy machine counts against players, so run nothing else at the same time."
    )
