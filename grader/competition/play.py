"""Play the games of a schedule, store each result, and report progress."""

import math
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, reduce
from typing import Protocol

from grader.competition.progress import Progress, RunningJob, RunningJobs, Watch
from grader.competition.records import Competition, Pairing, Setup, UnplayedGame
from grader.competition.seating import unit_job
from grader.competition.trial_memory import remembered_trials
from grader.engine.base import Engine, Reached, WorkersLost
from grader.engine.jobs import Trial, UnitJob, UnitResult, play_unit
from grader.engine.match import TRIES, unfair_text
from grader.fixtures import REFERENCE, Fixture, Unit, player_name
from grader.games import Game
from grader.games.endings import ending_label, result_with_ending, winning_label
from grader.language import Message, say
from grader.records import MatchRecord
from grader.scoring.estimate import estimate, start_of_a_game
from grader.scoring.pace import Pace, seconds_of
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
        engine.run(play_unit, games.next_job, games.done, games.observer)
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
        self._pace = Pace(_expectation(setup, store))
        self._estimated = -math.inf
        """When the time left was last estimated."""
        self.observer = RunningJobs(progress, watch, self._describe, self._estimate)

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
        seconds = self.observer.ended(job.keys[0])
        if isinstance(outcome, WorkersLost):
            fault = outcome.args[0]
        elif outcome.fault and len(job.attempts) + 1 < TRIES:
            self._pace.learn_attempt(unit, seconds or 0.0)
            self._postpone(job, unit, outcome.fault)
            return
        else:
            fault = unfair_text(outcome.fault) if outcome.fault else ""
        del self._playing[job.keys[0]]
        game = self._setup.assignment(unit[0]).rules
        if fault:
            result = fault
            text = say("{pair}: {result}", pair=self._pair(unit), result=fault)
            self.failed.append(UnplayedGame(game=game.name, text=text))
        else:
            assert isinstance(outcome, UnitResult)
            result = self._summary(unit, outcome.records, game)
            self._keep(job, outcome.records)
            self._pace.learn(unit, seconds or sum(map(seconds_of, outcome.records)))
        self._settle(unit, say("{pair}: {result}", pair=self._pair(unit), result=result))

    def _postpone(self, job: UnitJob, unit: Unit, why: str) -> None:
        """Play a unit again later, when the machine may be less busy."""
        self._postponed.append(replace(job, attempts=(*job.attempts, why)))
        self._progress.step(0, say("{pair}: will be played again. {why}", pair=self._pair(unit), why=why), self._watch)

    def _keep(self, job: UnitJob, records: Sequence[MatchRecord]) -> None:
        matches = list(zip(job.keys, records, strict=True))
        self._store.add(matches)
        self._results.update(matches)

    def _settle(self, unit: Unit, what: Message) -> None:
        """Tell the schedule that a unit has ended, and report the progress."""
        schedule, progress = self._schedule, self._progress
        phase, before = schedule.phase, schedule.left
        schedule.settle(unit)
        settled = len(unit) if schedule.phase != phase else max(len(unit), before - schedule.left)
        progress.total = progress.done + settled + (0 if schedule.phase != phase else schedule.left)
        self._estimate()
        progress.step(settled, what, self._watch)
        if schedule.phase != phase:
            progress.begin(schedule.phase, schedule.left)

    def _estimate(self) -> None:
        """Estimate the time left, unless that was done a moment ago."""
        now, progress = time.monotonic(), self._progress
        if now - self._estimated >= _ESTIMATE_EVERY:
            self._estimated = now
            since = {key: running.seconds for key, running in progress.running.items()}
            left = self._pace.left(self._schedule.remaining, self._workers, since)
            progress.left = None if left is None else replace(left, slowest=self._name(left.slowest))

    def _describe(self, job: UnitJob, reached: Reached) -> tuple[str, RunningJob]:
        key = job.keys[0]
        pair = self._pair(self._playing[key])
        return key, RunningJob(pair, len(job.keys), reached, time.monotonic(), attempt=len(job.attempts) + 1)

    def _pair(self, unit: Unit) -> Message:
        fixture = unit[0]
        return say(
            "{name} against {opponent}",
            name=self._name(fixture.submission),
            opponent=self._name(fixture.players[1 - fixture.seat]),
        )

    def _name(self, player: str) -> str:
        return self._setup.names.get(player) or player_name(player)

    def _summary(self, unit: Unit, records: Sequence[MatchRecord], game: Game) -> Message:
        """The results of a unit in a few words, from the submission's point of view if only one player is a submission."""
        between = unit[0].players[0].startswith(REFERENCE) == unit[0].players[1].startswith(REFERENCE)
        games = [
            self._winner(record, fixture, game) if between else result_with_ending(record, fixture.seat, game)
            for fixture, record in zip(unit, records, strict=True)
        ]
        return reduce(lambda some, more: say("{some}, {more}", some=some, more=more), games)

    def _winner(self, record: MatchRecord, fixture: Fixture, game: Game) -> Message:
        if record.winner is None:
            return say("drawn ({ending})", ending=ending_label(record.ending, game))
        winner = self._name(fixture.players[record.winner])
        return say("{winner} won ({ending})", winner=winner, ending=winning_label(record, game))


def _expectation(setup: Setup, store: Store) -> Callable[[Fixture], float]:
    """A function that returns the expected seconds of each game, judging by the trials of its players."""
    trials = remembered_trials(store, setup)
    speeds = {id_: trial.seconds for id_, trial in trials.items()}
    start = start_of_a_game(trial.start for trial in trials.values())

    @cache
    def expected(fixture: Fixture) -> float:
        return estimate([(setup.assignment(fixture), fixture)], speeds, 1, start=start).expected

    return expected


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
