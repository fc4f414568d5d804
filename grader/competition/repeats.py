"""Games that would only repeat others: found out by a few telling games, counted, and not played.

Where two players leave nothing to chance, one game in each order tells all others; where that is not certain, two.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence

from grader.fixtures import Fixture, Match, Results, Unit, move_line
from grader.games import Game
from grader.records import Ending, MatchRecord

TELLING = 2
"""Games of the same two in the same order, with different seeds: if they are the same move for move, all others are."""
_BY_CHANCE = {Ending.LOAD_ERROR, Ending.TIMEOUT, Ending.MEMORY, Ending.EXITED, Ending.BAD_REPLY}
"""Endings that may happen in one game and not in another, though both players do the same."""


def counted_matches(fixtures: Sequence[Fixture], results: Results, game: Game) -> list[Match]:
    """The games that count, in the order of their fixtures: those played, and those that would only have repeated them."""
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
    """The games of a tournament that are ready to be played, each once, however many identical submissions share it.

    Games after the telling ones of their order wait until those are known.
    """

    def __init__(self, fixtures: Sequence[Fixture], results: Results, *, learning: bool) -> None:
        self._results, self._learning = results, learning
        self._orders = _by_code(fixtures)
        self._order = {fixture.key: order for order, same in self._orders.items() for fixture in same}
        self._ready: deque[Unit] = deque()
        self._playing: dict[str, Unit] = {}
        self._awaited: Counter[str] = Counter()
        """How many telling games of an order are not known yet."""
        self._waiting: dict[str, list[Fixture]] = {}
        place = {fixture.key: at for at, fixture in enumerate(fixtures)}
        units = [unit for order in self._orders for unit in self._begin(order)]
        self._ready.extend(sorted(units, key=lambda unit: place[unit[0].key]))
        self.left = len(self.remaining)
        """How many games are still to be played: counted along, as a large class has thousands."""

    @property
    def remaining(self) -> list[Fixture]:
        """The games still to be played, as far as the results so far tell."""
        units = [*self._ready, *self._playing.values()]
        return [
            *(fixture for unit in units for fixture in unit),
            *(one for order in self._waiting for one in self._later_games(order)),
        ]

    def _later_games(self, order: str) -> list[Fixture]:
        """The games of an order that will be played later, unless the telling ones show that they would be repeats."""
        return [fixture for fixture in self._waiting.get(order, ()) if fixture.telling != 1]

    def next(self) -> Unit | None:
        """The next unit, or None if there is none until another result is known."""
        if not self._ready:
            return None
        unit = self._ready.popleft()
        self._playing[unit[0].key] = unit
        return unit

    def settle(self, unit: Unit) -> None:
        """A unit is over, and its results are known unless it failed."""
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
        """What of an order is to be played now: the telling games, then the others unless they would only repeat them."""
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
    """The games of the same two in the same order, by number."""
    orders: dict[tuple[str, str], list[Fixture]] = defaultdict(list)
    for fixture in fixtures:
        orders[fixture.players].append(fixture)
    return {players: sorted(same, key=lambda fixture: fixture.number) for players, same in orders.items()}


def _by_code(fixtures: Iterable[Fixture]) -> dict[str, list[Fixture]]:
    """The same for pairs of the same code as one, each game once, by the key of the first game."""
    found: dict[str, dict[str, Fixture]] = defaultdict(dict)
    for same in _by_order(fixtures).values():
        for fixture in same:
            found[same[0].key].setdefault(fixture.key, fixture)
    return {first: sorted(same.values(), key=lambda fixture: fixture.number) for first, same in found.items()}


def _repeated_record(order: Sequence[Fixture], results: Results) -> MatchRecord | None:
    """The game that all later ones of an order would repeat, if the telling ones did."""
    wanted = _telling(order, results)
    if wanted is None or len(order) < wanted:
        return None
    one, *others = [results.get(fixture.key) for fixture in order[:wanted]]
    if one is None:
        return None
    return one if all(other is not None and move_line(other) == move_line(one) for other in others) else None


def _telling(order: Sequence[Fixture], results: Results) -> int | None:
    """How many games of an order tell whether all are the same, if any do."""
    first = results.get(order[0].key)
    by_chance = first is not None and (first.ending in _BY_CHANCE or any(turn.late for turn in first.turns))
    return TELLING if order[0].telling == 1 and by_chance else order[0].telling
