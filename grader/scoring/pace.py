"""How long the rest of a competition takes, learnt from the games that have been played and from those that are being played."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from grader.fixtures import Fixture
from grader.records import MatchRecord
from grader.scoring.estimate import START_SECONDS

OVERDUE = 1.25
"""A game that already takes longer than expected is expected to take this many times as long as it has so far."""


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
        """The seconds that a game should take, before anything is known about its players except their first moves."""
        self._should: defaultdict[str, float] = defaultdict(float)
        self._took: defaultdict[str, float] = defaultdict(float)
        self._games = 0

    def learn(self, unit: Sequence[Fixture], seconds: float) -> None:
        """Take account of games that have just been played, one after the other, and the seconds that they took."""
        self._games += len(unit)
        self._should[unit[0].submission] += sum(map(self._expected, unit))
        self._took[unit[0].submission] += seconds

    def learn_attempt(self, unit: Sequence[Fixture], seconds: float) -> None:
        """Take account of time that games took before they turned out to have to be played again."""
        self._took[unit[0].submission] += seconds

    def left(
        self, fixtures: Iterable[Fixture], workers: int, running: Mapping[str, float] = MappingProxyType({})
    ) -> TimeLeft | None:
        """How long these games will take; None if there are none, or none has been played yet.

        `running` has the seconds for which games of these have been played already, by the key of the first game of their unit.
        """
        games = {fixture.key: fixture for fixture in fixtures}  # identical submissions share games
        if not games or not self._games:
            return None
        since = {key: (games[key], seconds) for key, seconds in running.items() if key in games}
        factors = self._factors(games.values(), since)
        full = {key: self._expected(fixture) * factors[fixture.submission] for key, fixture in games.items()}
        rest = {key: max(seconds - since[key][1], 0.0) if key in since else seconds for key, seconds in full.items()}
        per_player: defaultdict[str, float] = defaultdict(float)
        for key, seconds in rest.items():
            per_player[games[key].submission] += seconds
        slowest = max(per_player, key=per_player.__getitem__)
        own = [full[key] for key, fixture in games.items() if fixture.submission == slowest]
        total = sum(rest.values())
        seconds = max(total / workers, *rest.values())  # the last game is played by one worker
        return TimeLeft(seconds, slowest, per_player[slowest] / total if total else 1.0, sum(own) / len(own))

    def _factors(self, games: Iterable[Fixture], running: Mapping[str, tuple[Fixture, float]]) -> dict[str, float]:
        """By how much each submission's games take longer than expected: the factor of all games counts like one of its own.

        A game that is being played for longer than that says so for its submission, and for those that have not played.
        """
        should, took = sum(self._should.values()), sum(self._took.values())
        one = should / self._games
        for fixture, seconds in running.values():
            expected = self._expected(fixture)
            if seconds > expected * took / should:
                should, took = should + expected, took + seconds
        factors = {
            name: (self._took.get(name, 0.0) + one * took / should) / (self._should.get(name, 0.0) + one)
            for name in {fixture.submission for fixture in games}
        }
        for fixture, seconds in running.values():
            name, expected = fixture.submission, self._expected(fixture)
            if seconds > expected * factors[name]:
                factors[name] = OVERDUE * seconds / expected
        return factors


def seconds_of(record: MatchRecord) -> float:
    """How long a game took, with the start of its players."""
    charges = [turn.charge for turn in record.turns]
    charges += [charge for charge in (record.last_charge, *(seat.load for seat in record.seats)) if charge is not None]
    return START_SECONDS + sum(charge.wall for charge in charges)
