"""The results of the benchmarks, and the summary table that compares them with peers."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import median

from tabulate import tabulate

from tests.bench.peers import Peer

log = logging.getLogger(__name__)
Measure = Callable[[], float]
"""Does some work, and returns the seconds per unit of work."""


class Effort(Enum):
    """How thoroughly to measure."""

    FULL = "full"
    QUICK = "quick"
    """Only checks that everything works; the figures mean nothing."""

    def rounds(self, full: int) -> int:
        return full if self is Effort.FULL else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The same work done by us and by a peer, alternately, for a few rounds."""

    what: str
    ours: tuple[float, ...]
    """Seconds in each round."""
    theirs: tuple[float, ...]
    """Empty if the peer is not installed."""
    peer: Peer

    @property
    def ratio(self) -> float:
        """How many times as long the peer takes, by the best round of each: disturbances only make a round slower."""
        return min(self.theirs) / min(self.ours)

    @property
    def of_medians(self) -> float:
        return median(self.theirs) / median(self.ours)

    @property
    def of_rounds(self) -> tuple[float, float]:
        """The lowest and the highest ratio of a single round, which show the noise."""
        ratios = [theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True)]
        return min(ratios), max(ratios)


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a section."""

    text: str
    comparisons: tuple[Comparison, ...] = ()


def compare(what: str, ours: Measure, theirs: Measure, peer: Peer, rounds: int) -> Comparison:
    """Measure both alternately, so that a slow moment affects both; only ours if the peer is not installed."""
    log.info("%s", what)
    measures = (ours, theirs) if peer.installed else (ours,)
    for measure in measures:
        measure()  # warm-up: imports and cached computations
    taken = [[measure() for measure in measures] for _ in range(rounds)]
    mine, *others = zip(*taken, strict=True)
    return Comparison(what=what, ours=mine, theirs=others[0] if others else (), peer=peer)


def summary(comparisons: Sequence[Comparison]) -> str:
    """A table with one line per comparison."""
    headers = ["what", "ours", "the peer", "ratio", "of medians", "in rounds", "the peer is"]
    aligned = ("left", "right", "right", "right", "right", "right", "left")
    rows = [_row(comparison) for comparison in comparisons]
    return tabulate(rows, headers, tablefmt="pipe", colalign=aligned, disable_numparse=True)


def format_seconds(seconds: float) -> str:
    """A duration with three digits in a suitable unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def ratio_text(ratio: float) -> str:
    """A ratio, with one more digit if the peer is faster."""
    return f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2f}"


def _row(comparison: Comparison) -> list[str]:
    ours = format_seconds(min(comparison.ours))
    if not comparison.theirs:
        return [comparison.what, ours, "not installed", "", "", "", str(comparison.peer)]
    low, high = comparison.of_rounds
    ratios = [
        ratio_text(comparison.ratio),
        ratio_text(comparison.of_medians),
        f"{ratio_text(low)}–{ratio_text(high)} ({len(comparison.ours)})",
    ]
    return [comparison.what, ours, format_seconds(min(comparison.theirs)), *ratios, str(comparison.peer)]
