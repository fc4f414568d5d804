"""Skip games that would only repeat others: they are counted, but not played.

A few games, the "telling" ones, decide whether the others of the same two players in the same order would be the same. If
neither player uses random numbers, that is one game; if it is unknown, two.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence

from grader.fixtures import Fixture, Match, Results, Unit, move_line
from grader.games import Game
from grader.records import Ending, MatchRecord

TELLING = 2
"""The number of games with different seeds that decide: if they are the same move for move, all others would be, too."""
_ACCIDENTAL = {Ending.LOAD_ERROR, Ending.TIMEOUT, Ending.MEMORY, Ending.EXITED, Ending.BAD_REPLY}
"""Endings that can occur in one game and not in another, although both players do the same."""


def counted_matches(fixtures: Sequence[Fixture], results: Results, game: Game) -> list[Match]:
    """The games that count, in the order of their fixtures: those played, and those skipped as repeats."""
    orders = _by_order(fixtures)
    repeated = {players: _repeated_record(same, results) for players, same in orders.items()}
    found = []
    counted: set[str] = set()
    for fixture in fixtures:
        again = repeated[fixture.players]
        is_repeat = again is not None and fixture.opening >= (_telling(orders[fixture.players], results) or 0)
        record = again if is_repeat else results.get(fixture.key)
        if record is not None:
            played = not is_repeat and fixture.key not in counted
            counted.add(fixture.key)
            found.append(Match.of(fixture, record, game, seat=0, played=played))
    return found


class PlayQueue:
    """The games of a tournament that are ready to play, each once, even if identical submissions share it.

    The other games of two players in one order wait for the telling ones.
    """

    def __init__(self, fixtures: Sequence[Fixture], results: Results, *, learning: bool) -> None:
        self._results, self._learning = results, learning
        self._orders = _by_code(fixtures)
        self._order = {fixture.key: order for order, same in self._orders.items() for fixture in same}
        self._ready: deque[Unit] = deque()
        self._playing: dict[str, Unit] = {}
        self._awaited: Counter[str] = Counter()
        """The number of telling games of an order without a result."""
        self._waiting: dict[str, list[Fixture]] = {}
        place = {fixture.key: at for at, fixture in enumerate(fixtures)}
        units = [unit for order in self._orders for unit in self._begin(order)]
        self._ready.extend(sorted(units, key=lambda unit: place[unit[0].key]))
        self.left = len(self.remaining)
        """The number of games still to be played. Updated step by step, because a large class has thousands."""

    @property
    def remaining(self) -> list[Fixture]:
        """The games still to be played, judging by the results so far."""
        units = [*self._ready, *self._playing.values()]
        return [
            *(fixture for unit in units for fixture in unit),
            *(fixture for order in self._waiting for fixture in self._later_games(order)),
        ]

    def _later_games(self, order: str) -> list[Fixture]:
        """The games of an order that are played later, unless they turn out to be repeats."""
        return [fixture for fixture in self._waiting.get(order, ()) if fixture.telling != 1]

    def next(self) -> Unit | None:
        """The next unit, or None if there is none until another result is known."""
        if not self._ready:
            return None
        unit = self._ready.popleft()
        self._playing[unit[0].key] = unit
        return unit

    def settle(self, unit: Unit) -> None:
        """Record that a unit has ended. Its results are known unless it failed."""
        del self._playing[unit[0].key]
        order = self._order[unit[0].key]
        self._awaited[order] -= 1
        self.left -= len(unit)
        if self._awaited[order] == 0:
            self.left -= len(self._later_games(order))
            released = self._release(order)
            self.left += len(released) + len(self._later_games(order))
            self._ready.extend((fixture,) for fixture in released)

    def _begin(self, order: str) -> list[Unit]:
        unplayed = [fixture for fixture in self._orders[order] if fixture.key not in self._results]
        if self._learning:
            return [tuple(unplayed)] if unplayed else []
        self._waiting[order] = unplayed
        return [(fixture,) for fixture in self._release(order)]

    def _release(self, order: str) -> list[Fixture]:
        """The games of an order to play now: the telling ones first, then the others unless they would be repeats."""
        same, waiting = self._orders[order], self._waiting.pop(order, [])
        if _repeated_record(same, self._results):
            return []
        wanted = _telling(same, self._results) or 0
        telling = [fixture for fixture in waiting if fixture.opening < wanted]
        self._awaited[order] = len(telling)
        if telling:
            self._waiting[order] = [fixture for fixture in waiting if fixture not in telling]
        return telling or waiting


def _by_order(fixtures: Iterable[Fixture]) -> dict[tuple[str, str], list[Fixture]]:
    """The games of the same two players in the same order, sorted by number."""
    orders: dict[tuple[str, str], list[Fixture]] = defaultdict(list)
    for fixture in fixtures:
        orders[fixture.players].append(fixture)
    return {players: sorted(same, key=lambda fixture: fixture.number) for players, same in orders.items()}


def _by_code(fixtures: Iterable[Fixture]) -> dict[str, list[Fixture]]:
    """The same, with pairs of identical code merged: each game once, by the key of the first game."""
    found: dict[str, dict[str, Fixture]] = defaultdict(dict)
    for same in _by_order(fixtures).values():
        for fixture in same:
            found[same[0].key].setdefault(fixture.key, fixture)
    return {first: sorted(same.values(), key=lambda fixture: fixture.number) for first, same in found.items()}


def _repeated_record(order: Sequence[Fixture], results: Results) -> MatchRecord | None:
    """The game that all later ones of an order would repeat, if there is one."""
    wanted = _telling(order, results)
    if wanted is None or len(order) < wanted:
        return None
    first, *others = [results.get(fixture.key) for fixture in order[:wanted]]
    if first is None:
        return None
    return first if all(other is not None and move_line(other) == move_line(first) for other in others) else None


def _telling(order: Sequence[Fixture], results: Results) -> int | None:
    """The number of telling games of an order, or None if games differ anyway."""
    first = results.get(order[0].key)
    accidental = first is not None and (first.ending in _ACCIDENTAL or any(turn.late for turn in first.turns))
    return TELLING if order[0].telling == 1 and accidental else order[0].telling
