"""What a section of the bench measures, and the one table in which all that has a peer stands beside it."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import median

from tabulate import tabulate

from tests.bench.peers import Peer

log = logging.getLogger(__name__)
Measure = Callable[[], float]
"""Does some work, and says how many seconds one piece of it took."""


class Effort(Enum):
    """How much is measured."""

    FULL = "full"
    QUICK = "quick"
    """Enough to see that it works; the figures are worth nothing."""

    def rounds(self, full: int) -> int:
        return full if self is Effort.FULL else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The same work done by us and by a peer, in turns, a few rounds."""

    what: str
    ours: tuple[float, ...]
    """Seconds, a value a round."""
    theirs: tuple[float, ...]
    """None of them if the peer is not installed."""
    peer: Peer

    @property
    def ratio(self) -> float:
        """How many times as long the peer takes, by the best round of each: what disturbs a round only makes it longer."""
        return min(self.theirs) / min(self.ours)

    @property
    def of_medians(self) -> float:
        return median(self.theirs) / median(self.ours)

    @property
    def of_rounds(self) -> tuple[float, float]:
        """The lowest and the highest ratio of any one round: how much noise there was."""
        ratios = [theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True)]
        return min(ratios), max(ratios)


@dataclass(frozen=True, slots=True)
class Report:
    """What a section found."""

    text: str
    comparisons: tuple[Comparison, ...] = ()


def compared(what: str, ours: Measure, theirs: Measure, peer: Peer, rounds: int) -> Comparison:
    """Both in turns, so that a slow moment hits both; ours alone if the peer is not installed."""
    log.info("%s", what)
    measures = (ours, theirs) if peer.installed else (ours,)
    for measure in measures:
        measure()  # once for nothing: imports, and what is computed only the first time
    taken = [[measure() for measure in measures] for _ in range(rounds)]
    mine, *others = zip(*taken, strict=True)
    return Comparison(what=what, ours=mine, theirs=others[0] if others else (), peer=peer)


def summary(comparisons: Sequence[Comparison]) -> str:
    """One line each."""
    headers = ["what", "ours", "the peer", "ratio", "of medians", "in rounds", "the peer is"]
    aligned = ("left", "right", "right", "right", "right", "right", "left")
    rows = [_row(one) for one in comparisons]
    return tabulate(rows, headers, tablefmt="pipe", colalign=aligned, disable_numparse=True)


def shown(seconds: float) -> str:
    """Three digits, in the unit that suits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def times(ratio: float) -> str:
    """A ratio, with a digit more where the peer is faster."""
    return f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2f}"


def _row(one: Comparison) -> list[str]:
    ours = shown(min(one.ours))
    if not one.theirs:
        return [one.what, ours, "not installed", "", "", "", str(one.peer)]
    low, high = one.of_rounds
    ratios = [times(one.ratio), times(one.of_medians), f"{times(low)}–{times(high)} ({len(one.ours)})"]
    return [one.what, ours, shown(min(one.theirs)), *ratios, str(one.peer)]
