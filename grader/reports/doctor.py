"""What this machine offers to wall players in, and what that means."""

import sys
from collections.abc import Sequence

from tabulate import tabulate

from grader.sandbox.isolation import Level
from grader.sandbox.machine import Offer
from grader.sandbox.threats import THREATS

_WHAT = {
    Level.NONE: "a process that can be killed",
    Level.BASIC: "limits on memory, descriptors and file size; dies with the grader",
    Level.GOOD: "no capabilities, only granted files (Landlock), few system calls (seccomp)",
    Level.STRONG: "all that, in namespaces of its own (bubblewrap)",
}


def render(offers: Sequence[Offer]) -> str:
    """The levels, the best one, what it does not stop, and how to get the next one."""
    best = max(offer.level for offer in offers if offer.available)
    rows = [[str(offer.level), "yes" if offer.available else "no", _WHAT[offer.level]] for offer in offers]
    threats = [[threat.what, *("✓" if level >= threat.stopped_from else "–" for level in Level)] for threat in THREATS]
    parts = [
        f"Players run at the level {best} on this machine.",
        tabulate(rows, ["level", "here", "what it is"]),
        "What each level stops, of what a hostile player might try:",
        tabulate(threats, ["attack", *map(str, Level)], colalign=("left", *("center",) * len(Level))),
    ]
    missing = next((offer for offer in offers if not offer.available), None)
    if missing is not None:
        parts.append(f"To get to {missing.level}: {missing.reason}.")
    open_ = [threat.what for threat in THREATS if threat.stopped_from > best]
    if open_:
        parts.append("Not stopped here:\n" + "\n".join(f"  - {what}" for what in open_))
    parts.append(_clock())
    return "\n\n".join(parts)


def _clock() -> str:
    if sys.platform == "linux":
        return "Time: a move is charged max(CPU time, wall time − waiting for a core)."
    return "Time: a move is charged wall time; a busy machine counts against a player here, so run little beside it."
