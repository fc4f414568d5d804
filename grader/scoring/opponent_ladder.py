"""How the opponents of an assignment fare against one another."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.assignment import Assignment


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How one opponent fared against another."""

    points: float
    """Won games, and half of the drawn ones."""
    games: int
    interval: tuple[float, float]
    """Of the share won, at 95 %; games that repeat another move for move do not narrow it."""

    @property
    def share(self) -> float:
        """Of the games that were played."""
        return self.points / self.games if self.games else 0.0

    @property
    def is_clear(self) -> bool:
        """Whether the one is surely stronger than the other."""
        return self.interval[0] > 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The opponents of an assignment, compared with one another."""

    assignment: Assignment
    steps: Mapping[tuple[int, int], Step]
    """By opponent and other opponent, both from 0 and both ways."""
    faults: tuple[str, ...]
    """Games that could not be played."""
