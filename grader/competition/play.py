"""Play the games of a schedule, store each result, and report progress."""

import math
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from typing import Protocol

from grader.competition.records import Competition, Pairing, Setup, UnplayedGame
from grader.competition.seating import unit_job
from grader.engine.base import Engine, WorkersLost
from grader.engine.jobs import Trial, UnitJob, UnitResult, play_unit
from grader.engine.match import TRIES, unfair_text
from grader.fixtures import REFERENCE, Fixture, Unit, player_name
from grader.games import Game
from grader.games.endings import ending_label
from grader.language import Message, say
from grader.records import MatchRecord
from grader.scoring.estimate import estimate
from grader.scoring.pace import Pace, TimeLeft
from grader.store import Store

_ESTIMATE_EVERY = 1.0
"""Seconds between two estimates of the time left: a large class has thousands of games to add up."""


class Schedule(Protocol):
    """Decides which games are played next, from the results so far."""

    @property
    def phase(self) -> Message:
        """What is being played, for the progress display."""

    @property
    def fixtures(self) -> Sequence[Fixture]:
        """All games planned so far, in the order in which they count."""

    @property
    def remaining(self) -> list[Fixture]:
        """The games still to be played, judging by the results so far."""

    @property
    def left(self) -> int:
        """The number of these games."""

    def next(self) -> Unit | None:
        """The next unit, or None if there is none until another result is known."""

    def settle(self, unit: Unit) -> None:
        """Record that a unit has ended. Its results are known unless it failed."""


@dataclass(slots=True)
class Progress:
    """The progress of a competition. The `watch` function is called with it after each step."""

    phase: str = ""
    total: int = 0
    done: int = 0
    stored: int = 0
    """How many of those done are from an earlier run."""
    last: str = ""
    left: TimeLeft | None = None
    """How long the rest will take, judging by the games so far."""
    outcome: Callable[[], Competition] | None = None
    """Returns the games played so far; None before the first game."""

    def begin(self, phase: str, total: int, stored: int = 0) -> None:
        """Start a phase."""
        self.phase, self.total, self.done, self.stored, self.left = phase, total, stored, stored, None

    def step(self, count: int, what: str, watch: "Watch") -> None:
        """Count more as done; `what` describes the last one."""
        self.done += count
        self.last = what
        watch(self)


Watch = Callable[[Progress], None]


def play(
    setup: Setup,
    schedule: Schedule,
    results: dict[str, MatchRecord],
    engine: Engine,
    store: Store,
    progress: Progress,
    watch: Watch,
) -> list[UnplayedGame]:
    """Play all games of a schedule and add them to `results`. Returns the games that could not be played fairly."""
    known = sum(fixture.key in results for fixture in schedule.fixtures)
    progress.begin(schedule.phase, known + schedule.left, stored=known)
    games = _GamesInProgress(setup, schedule, results, store, progress, watch, engine.workers)
    if schedule.left:
        engine.run(play_unit, games.next_job, games.done)
    return games.failed


class _GamesInProgress:
    """Gives the units of a schedule to an engine, and takes their results."""

    def __init__(
        self,
        setup: Setup,
        schedule: Schedule,
        results: dict[str, MatchRecord],
        store: Store,
        progress: Progress,
        watch: Watch,
        workers: int,
    ) -> None:
        self._setup, self._schedule, self._results, self._store = setup, schedule, results, store
        self._progress, self._watch, self._workers = progress, watch, workers
        self.failed: list[UnplayedGame] = []
        self._playing: dict[str, Unit] = {}
        self._postponed: deque[UnitJob] = deque()
        self._pace = Pace(cache(lambda fixture: estimate([(setup.assignment(fixture), fixture)], {}, 1).expected))
        self._estimated = -math.inf
        """When the time left was last estimated."""

    def next_job(self) -> UnitJob | None:
        """The next unit of the schedule; if none can start now, one that was postponed."""
        unit = self._schedule.next()
        if unit is None:
            return self._postponed.popleft() if self._postponed else None
        self._playing[unit[0].key] = unit
        return unit_job(self._setup, unit)

    def done(self, job: UnitJob, outcome: UnitResult | WorkersLost) -> None:
        """Take the result of a unit."""
        unit = self._playing[job.keys[0]]
        if isinstance(outcome, WorkersLost):
            fault = outcome.args[0]
        elif outcome.fault and len(job.attempts) + 1 < TRIES:
            self._postpone(job, unit, outcome.fault)
            return
        else:
            fault = unfair_text(outcome.fault) if outcome.fault else ""
        del self._playing[job.keys[0]]
        game = self._setup.assignment(unit[0]).rules
        if fault:
            result = fault
            text = say("{pair}: {result}", pair=_pair(unit), result=fault)
            self.failed.append(UnplayedGame(game=game.name, text=text))
        else:
            assert isinstance(outcome, UnitResult)
            result = _summary(unit, outcome.records, game)
            self._keep(job, unit, outcome.records)
        self._settle(unit, say("{pair}: {result}", pair=_pair(unit), result=result))

    def _postpone(self, job: UnitJob, unit: Unit, why: str) -> None:
        """Play a unit again later, when the machine may be less busy."""
        self._postponed.append(replace(job, attempts=(*job.attempts, why)))
        self._progress.step(0, say("{pair}: will be played again. {why}", pair=_pair(unit), why=why), self._watch)

    def _keep(self, job: UnitJob, unit: Unit, records: Sequence[MatchRecord]) -> None:
        matches = list(zip(job.keys, records, strict=True))
        self._store.add(matches)
        self._results.update(matches)
        for fixture, record in zip(unit, records, strict=True):
            self._pace.learn(fixture, record)

    def _settle(self, unit: Unit, what: Message) -> None:
        """Tell the schedule that a unit has ended, and report the progress."""
        schedule, progress = self._schedule, self._progress
        phase, before = schedule.phase, schedule.left
        schedule.settle(unit)
        settled = len(unit) if schedule.phase != phase else max(len(unit), before - schedule.left)
        progress.total = progress.done + settled + (0 if schedule.phase != phase else schedule.left)
        if (now := time.monotonic()) - self._estimated >= _ESTIMATE_EVERY:
            self._estimated, progress.left = now, self._pace.left(schedule.remaining, self._workers)
        progress.step(settled, what, self._watch)
        if schedule.phase != phase:
            progress.begin(schedule.phase, schedule.left)


def _pair(unit: Unit) -> Message:
    fixture = unit[0]
    return say("{name} against {opponent}", name=player_name(fixture.submission), opponent=fixture.opponent)


def _summary(unit: Unit, records: Sequence[MatchRecord], game: Game) -> Message:
    """The results of a unit in a few words, from the submission's point of view if only one player is a submission."""
    between = unit[0].players[0].startswith(REFERENCE) == unit[0].players[1].startswith(REFERENCE)
    games = [
        _winner(record, fixture, game) if between else _result(record, fixture.seat, game)
        for fixture, record in zip(unit, records, strict=True)
    ]
    return reduce(lambda some, more: say("{some}, {more}", some=some, more=more), games)


def _result(record: MatchRecord, seat: int, game: Game) -> Message:
    ending = ending_label(record.ending, game)
    if record.winner is None:
        return say("drawn ({ending})", ending=ending)
    return say("won ({ending})", ending=ending) if record.winner == seat else say("lost ({ending})", ending=ending)


def _winner(record: MatchRecord, fixture: Fixture, game: Game) -> Message:
    if record.winner is None:
        return say("drawn ({ending})", ending=ending_label(record.ending, game))
    winner = player_name(fixture.players[record.winner])
    return say("{winner} won ({ending})", winner=winner, ending=ending_label(record.ending, game))


def play_schedules(
    setup: Setup,
    pairing: Pairing | None,
    schedules: Sequence[Schedule],
    results: dict[str, MatchRecord],
    unloadable: Mapping[str, Trial],
    engine: Engine,
    store: Store,
    watch: Watch,
) -> Competition:
    """Play schedules one after the other, adding to `results`, and return the competition."""
    unplayed: list[UnplayedGame] = []

    def outcome() -> Competition:
        return Competition(
            setup=setup,
            pairing=pairing,
            fixtures=tuple(fixture for schedule in schedules for fixture in schedule.fixtures),
            results=results,
            unloadable=unloadable,
            unplayed=tuple(unplayed),
        )

    progress = Progress(outcome=outcome)
    for schedule in schedules:
        unplayed += play(setup, schedule, results, engine, store, progress, watch)
    return outcome()
