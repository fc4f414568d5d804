"""How long the rest of a competition takes, learnt from the games that have been played."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from grader.fixtures import Fixture
from grader.records import MatchRecord
from grader.scoring.estimate import START_SECONDS


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """How long the remaining games take on all workers together, and whose take longest."""

    seconds: float
    slowest: str
    """The submission whose games take longest."""
    share: float
    """The share of the seconds that its games take."""
    per_game: float
    """The seconds that one of its games takes."""


class Pace:
    """Compares how long games took with what was expected of them, for each submission."""

    def __init__(self, expected: Callable[[Fixture], float]) -> None:
        self._expected = expected
        """The seconds that a game should take, before anything is known about its players."""
        self._should: defaultdict[str, float] = defaultdict(float)
        self._took: defaultdict[str, float] = defaultdict(float)
        self._games = 0

    def learn(self, fixture: Fixture, record: MatchRecord) -> None:
        """Take account of a game that has just been played."""
        self._games += 1
        self._should[fixture.submission] += self._expected(fixture)
        self._took[fixture.submission] += seconds_of(record)

    def left(self, fixtures: Iterable[Fixture], workers: int) -> TimeLeft | None:
        """How long these games will take; None if there are none, or nothing has been learnt yet."""
        expected: dict[str, list[float]] = defaultdict(list)
        for fixture in fixtures:
            expected[fixture.submission].append(self._expected(fixture))
        if not expected or not self._games:
            return None
        seconds = {name: sum(games) * self._factor(name) for name, games in expected.items()}
        slowest = max(seconds, key=seconds.__getitem__)
        total = sum(seconds.values())
        return TimeLeft(total / workers, slowest, seconds[slowest] / total, seconds[slowest] / len(expected[slowest]))

    def _factor(self, name: str) -> float:
        """By how much a submission's games take longer than expected: that of all games counts like one game of its own."""
        should, took = sum(self._should.values()), sum(self._took.values())
        one = should / self._games
        return (self._took.get(name, 0.0) + one * took / should) / (self._should.get(name, 0.0) + one)


def seconds_of(record: MatchRecord) -> float:
    """How long a game took, with the start of its players."""
    charges = [turn.charge for turn in record.turns]
    charges += [charge for charge in (record.last_charge, *(seat.load for seat in record.seats)) if charge is not None]
    return START_SECONDS + sum(charge.wall for charge in charges)
