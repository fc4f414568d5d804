"""A run: each submission plays the opponents of its assignment.

Sides alternate, and both sides get the same openings. What an opponent plays depends on the assignment's seed, the opponent
and the number of the game, never on the student. The student's own seed depends on none of them but the number.
"""

from collections import deque
from collections.abc import Collection, Mapping, Sequence

from grader.assignment import Assignment, Opponent
from grader.competition.patience import PATIENT, Patience
from grader.competition.play import play_schedules
from grader.competition.progress import Watch
from grader.competition.records import Competition, Entrant, Setup
from grader.engine.base import Engine
from grader.engine.jobs import Trial
from grader.fixtures import REFERENCE, Fixture, Results, Unit, content_key, opponent_text
from grader.language import Message, say
from grader.scoring.points import needed_fixtures, skipped_keys
from grader.seeds import derived_seed, public_seed, short_seed
from grader.store import Store


def gauntlet_fixtures(entrants: Sequence[Entrant]) -> tuple[Fixture, ...]:
    """All games of these submissions, in the order in which they count."""
    return tuple(
        _fixture(entrant, opponent, number)
        for entrant in entrants
        if not entrant.is_excused and not entrant.needs_decision
        for opponent in entrant.assignment.opponents
        for number in range(opponent.games)
    )


def _fixture(entrant: Entrant, opponent: Opponent, number: int) -> Fixture:
    assignment, name = entrant.assignment, opponent_text(opponent)
    secret, own_seed = assignment.secret, _student_seed(assignment, number)
    seed, opponent_seed = derived_seed(secret, "match", name, number), derived_seed(secret, "opponent", name)
    if opponent.is_own:  # it may have no openings to vary, so its seed varies
        opponent_seed = short_seed(derived_seed(opponent_seed, number // 2))
    identity = dict(entrant.identity)
    own = identity.pop("opponents", {}).get(opponent.name)  # a changed opponent only affects its own games
    series = {} if assignment.lifetime == "game" else {"series": [number, opponent.games]}
    key = content_key(
        assignment,
        identity,
        opponent=[name, own, opponent.model_dump(include={"time", "limits"}, exclude_none=True)],
        number=number,
        seeds=[seed, own_seed, opponent_seed],
        **series,
    )
    players, seeds = (entrant.id, REFERENCE + opponent.name), (own_seed, opponent_seed)
    if number % 2:
        players, seeds = players[::-1], seeds[::-1]
    return Fixture(game=entrant.game, players=players, number=number, seed=seed, seeds=seeds, key=key)


def _student_seed(assignment: Assignment, number: int) -> int:
    """The seed of a submission's player. All opponents come with the same seeds, so it does not reveal a hidden one."""
    fewest = min(opponent.games for opponent in assignment.opponents)
    return public_seed("run", assignment.rules.name, number % fewest)


def units_of(entrant: Entrant, planned: Sequence[Fixture]) -> tuple[Unit, ...]:
    """The fixtures of a submission, grouped into units."""
    if entrant.assignment.lifetime == "game":
        return tuple((fixture,) for fixture in planned)
    series: dict[tuple[str, int], list[Fixture]] = {}
    for fixture in planned:
        series.setdefault((fixture.opponent, fixture.seat), []).append(fixture)
    return tuple(tuple(part) for part in series.values())


class Gauntlet:
    """The schedule of a run: one unit of each submission in turn, so that all progress equally.

    Each result can make other games of its submission unnecessary, or necessary.
    """

    phase: Message = say("Playing")

    def __init__(self, setup: Setup, fixtures: Sequence[Fixture], unable: Collection[str], results: Results) -> None:
        self.fixtures = fixtures
        self._results = results
        self._entrants = {entrant.id: entrant for entrant in setup.entrants if entrant.id not in unable}
        self._planned: dict[str, list[Fixture]] = {id_: [] for id_ in self._entrants}
        for fixture in fixtures:
            if fixture.submission in self._planned:
                self._planned[fixture.submission].append(fixture)
        self._units = {id_: units_of(self._entrants[id_], planned) for id_, planned in self._planned.items()}
        self._owners: dict[str, list[str]] = {}
        """The submissions of each game, by key: identical submissions share games."""
        for id_, planned in self._planned.items():
            for fixture in planned:
                self._owners.setdefault(fixture.key, []).append(id_)
        self._begun: set[str] = set()
        self._failed: set[str] = set()
        self._remaining = {id_: self._playable(id_) for id_ in self._entrants}
        self._waiting = deque(self._entrants)

    @property
    def remaining(self) -> list[Fixture]:
        """The games still to be played, judging by the results so far."""
        return [fixture for fixtures in self._remaining.values() for fixture in fixtures]

    @property
    def left(self) -> int:
        """The number of these games."""
        return sum(map(len, self._remaining.values()))

    def next(self) -> Unit | None:
        """The next unit, or None if there is none until another result is known."""
        while self._waiting:
            id_ = self._waiting.popleft()
            unit = self._next_of(id_)
            if unit is not None:
                self._begun.add(unit[0].key)
                self._waiting.append(id_)
                return unit
        return None

    def settle(self, unit: Unit) -> None:
        """Record that a unit has ended. Its results are known unless it failed."""
        self._failed |= {fixture.key for fixture in unit if fixture.key not in self._results}
        for id_ in self._owners[unit[0].key]:
            self._remaining[id_] = self._playable(id_)
            if id_ not in self._waiting:
                self._waiting.append(id_)

    def _playable(self, id_: str) -> list[Fixture]:
        """The games of a submission that may still be played, on a ladder including those of later rungs."""
        entrant, planned = self._entrants[id_], self._planned[id_]
        skipped = skipped_keys(entrant.assignment, planned, self._results)
        known = skipped | self._results.keys() | self._failed
        return [fixture for fixture in planned if fixture.key not in known]

    def _next_of(self, id_: str) -> Unit | None:
        needed = {
            fixture.key
            for fixture in needed_fixtures(self._entrants[id_].assignment, self._planned[id_], self._results)
        }
        for unit in self._units[id_]:
            unplayed = any(fixture.key in needed and fixture.key not in self._results for fixture in unit)
            if unplayed and unit[0].key not in self._begun:
                return unit
        return None


def play_gauntlet(
    setup: Setup,
    unloadable: Mapping[str, Trial],
    engine: Engine,
    store: Store,
    watch: Watch,
    patience: Patience = PATIENT,
) -> Competition:
    """Play all games of a run that can still change a grade and have not been played before."""
    fixtures = gauntlet_fixtures(setup.entrants)
    unable = {
        entrant.id
        for entrant in setup.entrants
        if entrant.disqualification or entrant.is_excused or entrant.id in unloadable
    }
    results = {
        fixture.key: record
        for fixture in fixtures
        if fixture.submission not in unable and (record := store.get(fixture.key)) is not None
    }
    return play_schedules(
        setup, None, [Gauntlet(setup, fixtures, unable, results)], results, unloadable, engine, store, watch, patience
    )
