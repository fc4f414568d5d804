"""Play the games of a tournament that have not been played, but no game that would only repeat another."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence

from grader.competition.field import REFERENCE, TELLING, Encounter, Field, Unit
from grader.competition.pairings import Pair
from grader.competition.play import Progress, Results, Watch, kept
from grader.engine.base import Engine, WorkersLost
from grader.engine.jobs import UnitJob, UnitResult, play_unit
from grader.games import Game
from grader.language import Message, say
from grader.records import Ending, MatchRecord
from grader.reports.endings import named
from grader.scoring.standings import Bout, line
from grader.store import Store

_BY_CHANCE = {Ending.LOAD_ERROR, Ending.TIMEOUT, Ending.MEMORY, Ending.EXITED, Ending.BAD_REPLY}
"""Endings that may come about in one game and not in another, though both players do the same."""


def play(
    field: Field,
    encounters: Sequence[Encounter],
    before: Results,
    engine: Engine,
    store: Store,
    progress: Progress,
    watch: Watch,
    phase: Message,
) -> Results:
    """Play what has not been played, and return all that has been, by key. What we failed to play is told to `progress`.

    `before` is what was played in earlier rounds.
    """
    results = {**before, **stored([one for one in encounters if one.key not in before], store)}
    rota = Rota(field, encounters, results)
    begun: dict[str, Unit] = {}
    known = len(results) - len(before)
    progress.begin(phase, known + rota.left, stored=known)

    def next_job() -> UnitJob | None:
        unit = rota.next()
        if unit is None:
            return None
        begun[unit[0].key] = unit
        return field.job(unit)

    def done(job: UnitJob, outcome: UnitResult | WorkersLost) -> None:
        played = kept(job, outcome, store, results)
        unit = begun.pop(job.keys[0])
        who = say("{name} against {opponent}", name=_called(unit[0].first), opponent=_called(unit[0].second))
        if played.fault:
            progress.faults.append(say("{who}: {said}", who=who, said=played.fault))
        settled = max(len(unit), rota.heard(unit))
        progress.total = progress.done + settled + rota.left
        said = played.fault or _said(unit[-1], played.records[-1], field.assignment.rules)
        progress.step(settled, say("{who}: {said}", who=who, said=said), watch)

    if rota.left:
        engine.run(play_unit, next_job, done)
    return results


def bouts(encounters: Sequence[Encounter], results: Results) -> list[Bout]:
    """The games that count, in the order of their encounters: those played, and those that would only have repeated them."""
    orders = _orders(encounters)
    repeated = {order: _repeated(games, results) for order, games in orders.items()}
    found = []
    counted: set[str] = set()
    for encounter in encounters:
        games = orders[encounter.order]
        again = repeated[encounter.order]
        spared = again is not None and encounter.number >= (_telling(games, results) or 0)
        record = again if spared else results.get(encounter.key)
        if record is not None:
            played = not spared and encounter.key not in counted
            counted.add(encounter.key)
            found.append(Bout(*encounter.order, record, played=played, code=encounter.code))
    return found


def stored(encounters: Sequence[Encounter], store: Store) -> Results:
    """What of these was played before."""
    keys = {encounter.key for encounter in encounters}
    return {key: record for key in keys if (record := store.get(key)) is not None}


class Rota:
    """What is to be played next, each game once, however many identical submissions share it.

    The games of an order that come after the telling ones wait until those are known.
    """

    def __init__(self, field: Field, encounters: Sequence[Encounter], results: Results) -> None:
        self._field, self._results = field, results
        self._orders = _shared(encounters)
        self._order = {game.key: order for order, games in self._orders.items() for game in games}
        self._ready: deque[Unit] = deque()
        self._awaited: Counter[str] = Counter()
        """How many telling games of an order have yet to be heard of."""
        self._held: dict[str, list[Encounter]] = {}
        place = {encounter.key: at for at, encounter in enumerate(encounters)}
        units = [unit for order in self._orders for unit in self._begin(order)]
        self._ready.extend(sorted(units, key=lambda unit: place[unit[0].key]))
        self.left = sum(map(len, units)) + sum(map(self._waiting, self._orders))
        """How many games are still to be heard of, as far as one knows."""

    def next(self) -> Unit | None:
        """The next unit, or None if there is none until another result is heard."""
        return self._ready.popleft() if self._ready else None

    def heard(self, unit: Unit) -> int:
        """A unit is over, one way or another, and its results are known if there are any.

        Returns how many games fewer are left: more than those of the unit, if others would only repeat them.
        """
        order, before = self._order[unit[0].key], self.left
        self._awaited[order] -= 1
        self.left -= len(unit)
        if self._awaited[order] == 0:
            self.left -= self._waiting(order)
            released = self._released(order)
            self.left += len(released) + self._waiting(order)
            self._ready.extend((encounter,) for encounter in released)
        return before - self.left

    def _waiting(self, order: str) -> int:
        """How many games of an order are to be played later, unless the telling ones say otherwise."""
        return sum(encounter.telling != 1 for encounter in self._held.get(order, ()))

    def _begin(self, order: str) -> list[Unit]:
        unplayed = [encounter for encounter in self._orders[order] if encounter.key not in self._results]
        if self._field.learning:
            return [tuple(unplayed)] if unplayed else []
        self._held[order] = unplayed
        return [(encounter,) for encounter in self._released(order)]

    def _released(self, order: str) -> list[Encounter]:
        """What of an order is to be played now: the telling games, then the others unless they would only repeat them."""
        games, held = self._orders[order], self._held.pop(order, [])
        if _repeated(games, self._results):
            return []
        wanted = _telling(games, self._results) or 0
        telling = [encounter for encounter in held if encounter.number < wanted]
        self._awaited[order] = len(telling)
        if telling:
            self._held[order] = [encounter for encounter in held if encounter not in telling]
        return telling or held


def _orders(encounters: Iterable[Encounter]) -> dict[Pair, list[Encounter]]:
    """The games of the same two in the same order, by number."""
    orders: dict[Pair, list[Encounter]] = defaultdict(list)
    for encounter in encounters:
        orders[encounter.order].append(encounter)
    return {order: sorted(games, key=lambda game: game.number) for order, games in orders.items()}


def _shared(encounters: Iterable[Encounter]) -> dict[str, list[Encounter]]:
    """The same for pairs of the same code as one, each game once, by the key of the first: it knows the two by their code."""
    found: dict[str, dict[str, Encounter]] = defaultdict(dict)
    for games in _orders(encounters).values():
        for game in games:
            found[games[0].key].setdefault(game.key, game)
    return {first: sorted(games.values(), key=lambda game: game.number) for first, games in found.items()}


def _repeated(order: Sequence[Encounter], results: Results) -> MatchRecord | None:
    """The game that all later ones of an order would repeat, if the telling ones did."""
    wanted = _telling(order, results)
    if wanted is None or len(order) < wanted:
        return None
    one, *others = [results.get(encounter.key) for encounter in order[:wanted]]
    if one is None:
        return None
    return one if all(other is not None and line(other) == line(one) for other in others) else None


def _telling(order: Sequence[Encounter], results: Results) -> int | None:
    """How many games of an order tell whether all are the same, if any do."""
    first = results.get(order[0].key)
    chance = first is not None and (first.ending in _BY_CHANCE or any(turn.late for turn in first.turns))
    return TELLING if order[0].telling == 1 and chance else order[0].telling


def _said(encounter: Encounter, record: MatchRecord, game: Game) -> Message:
    """How a game went, in a few words."""
    if record.winner is None:
        return say("drawn, {ending}", ending=named(record.ending, game))
    return say(
        "{winner} won, {ending}", winner=_called(encounter.order[record.winner]), ending=named(record.ending, game)
    )


def _called(player: str) -> str:
    return player.removeprefix(REFERENCE)
