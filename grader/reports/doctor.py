"""What this machine offers to wall players in, and what that means."""

import sys
from collections.abc import Sequence

from tabulate import tabulate

from grader.language import Language, Message, say
from grader.sandbox.isolation import Level
from grader.sandbox.machine import LevelOffer
from grader.sandbox.threats import THREATS

_WHAT = {
    Level.NONE: say("a process that can be killed"),
    Level.BASIC: say("limits on memory, descriptors and file size; dies with the grader"),
    Level.GOOD: say("no capabilities, only granted files (Landlock), few system calls (seccomp)"),
    Level.STRONG: say("all that, in namespaces of its own (bubblewrap)"),
}


def render(offers: Sequence[LevelOffer], speak: Language) -> str:
    """The levels, the best one, what it does not stop, and how to get the next one."""
    best = max(offer.level for offer in offers if offer.available)
    rows = [[str(offer.level), speak(_yes(offer.available)), speak(_WHAT[offer.level])] for offer in offers]
    threats = [
        [speak(threat.what), *("✓" if level >= threat.stopped_from else "–" for level in Level)] for threat in THREATS
    ]
    parts = [
        speak.say("Players run at the level {level} on this machine.", level=str(best)),
        tabulate(rows, [speak.say("level"), speak.say("here"), speak.say("what it is")]),
        speak.say("What each level stops, of what a hostile player might try:"),
        tabulate(threats, [speak.say("attack"), *map(str, Level)], colalign=("left", *("center",) * len(Level))),
    ]
    missing = next((offer for offer in offers if not offer.available), None)
    if missing is not None:
        parts.append(speak.say("To get to {level}: {reason}.", level=str(missing.level), reason=missing.reason))
    open_ = [speak(threat.what) for threat in THREATS if threat.stopped_from > best]
    if open_:
        parts.append(speak.say("Not stopped here:") + "\n" + "\n".join(f"  - {what}" for what in open_))
    parts.append(speak(_clock()))
    return "\n\n".join(parts)


def _yes(available: bool) -> Message:
    return say("yes") if available else say("no")


def _clock() -> Message:
    if sys.platform == "linux":
        return say("Time: a move is charged max(CPU time, wall time − waiting for a core).")
    return say(
        "Time: a move is charged wall time; a busy machine counts against a player here, so run little beside it."
    )
