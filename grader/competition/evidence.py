"""Everything behind one grade."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.assignment import Assignment
from grader.competition.attention import Concern
from grader.competition.records import Entrant
from grader.fixtures import Fixture, Match
from grader.scoring.points import Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A grade with its submission, games and conditions."""

    grade: Grade
    entrant: Entrant
    isolation: str
    own: Mapping[str, str]
    """A hash of the course's own game and of each of its own opponents, by name."""
    machine: str
    """The versions of the grader, Python and system that computed the grade."""
    played: tuple[Match, ...]
    unplayed: tuple[Fixture, ...]
    """Games that were not needed or could not be played."""
    concern: Concern | None
    """Why the instructor should look at it, if so."""
    finished: Mapping[str, str]
    """When each game ended, by the key of its fixture."""

    @property
    def assignment(self) -> Assignment:
        """The assignment by which it was graded."""
        return self.entrant.assignment
