"""Everything behind one grade."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.assignment import Assignment
from grader.competition.records import Entrant
from grader.fixtures import Fixture, Match
from grader.scoring.points import Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a grade was made of."""

    grade: Grade
    entrant: Entrant
    isolation: str
    own: Mapping[str, str]
    """A hash of the game and of each opponent that is the course's own, by name."""
    machine: str
    """Which grader, Python and system the grade was worked out with."""
    played: tuple[Match, ...]
    unplayed: tuple[Fixture, ...]
    """Games that were not needed, or could not be played."""
    finished: Mapping[str, str]
    """When each game was over, by the key of its fixture."""

    @property
    def assignment(self) -> Assignment:
        """The assignment by which it was graded."""
        return self.entrant.assignment
