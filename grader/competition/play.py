"""Play the games of a schedule, store each result, and report progress."""

import math
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from typing import Protocol

from grader.competition.concurrency import Concurrency, is_disturbed
from grader.competition.patience import PATIENT, Backoff, Patience, wait_for_calm
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedSchedule:
    """What is known about a schedule that has been played, besides its results."""

    failed: tuple[UnplayedGame, ...]
    """The games that could not be played fairly."""
    fewest: int | None
    """How many units were played at a time at the least, because the machine was busy; None if that was never limited."""


def play(
    setup: Setup,
    schedule: Schedule,
    results: dict[str, MatchRecord],
    engine: Engine,
    store: Store,
    progress: Progress,
    watch: Watch,
    patience: Patience = PATIENT,
) -> PlayedSchedule:
    """Play all games of a schedule and add them to `results`.

    A game for which the machine was too busy is played again at the end, when the machine is less busy.
    """
    known = sum(fixture.key in results for fixture in schedule.fixtures)
    progress.begin(schedule.phase, known + schedule.left, stored=known)
    games = _GamesInProgress(setup, schedule, results, store, progress, watch, engine, patience)
    if schedule.left:
        engine.run(play_unit, games.next_job, games.done, games.observer)
        while games.has_postponed:
            games.wait_or_give_up()
            engine.run(play_unit, games.next_job, games.done, games.observer)
    return PlayedSchedule(failed=tuple(games.failed), fewest=games.fewest)


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
        engine: Engine,
        patience: Patience,
    ) -> None:
        self._setup, self._schedule, self._results, self._store = setup, schedule, results, store
        self._progress, self._watch, self._engine, self._patience = progress, watch, engine, patience
        self.failed: list[UnplayedGame] = []
        self._playing: dict[str, Unit] = {}
        """All units that have been begun and are not finished, also those to be played again, by the key of their first game."""
        self._tickets: dict[str, int] = {}
        """For each unit that an engine has, its ticket of `Concurrency`."""
        self._again: deque[UnitJob] = deque()
        """Units to be played again because the grader failed, e.g. a reference player."""
        self._postponed: deque[UnitJob] = deque()
        """Units to be played again when the machine is less busy."""
        self._is_last_part = False
        """Whether all other units have been played."""
        self._concurrency = Concurrency(lambda: engine.workers)
        self._backoff = Backoff(patience)
        self._pace = Pace(_expectation(setup, store))
        self._estimated = -math.inf
        """When the time left was last estimated."""
        self.observer = RunningJobs(progress, watch, self._describe, self._estimate)

    @property
    def has_postponed(self) -> bool:
        """Whether units have to be played again when the machine is less busy."""
        return bool(self._postponed)

    @property
    def fewest(self) -> int | None:
        """How many units could be in progress at the least, because the machine was busy; None if that was never limited."""
        return self._concurrency.fewest

    def next_job(self) -> UnitJob | None:
        """The next unit of the schedule; if none can start now, one to be played again. None if none may start now."""
        if not self._concurrency.allows(len(self._tickets)):
            return None
        unit = self._schedule.next()
        if unit is not None:
            self._is_last_part = False
            self._playing[unit[0].key] = unit
            return self._start(unit_job(self._setup, unit))
        if self._again:
            return self._start(self._again.popleft())
        if self._postponed and self._may_play_postponed():
            return self._start(self._postponed.popleft())
        return None

    def _start(self, job: UnitJob) -> UnitJob:
        self._tickets[job.keys[0]] = self._concurrency.started()
        return job

    def _may_play_postponed(self) -> bool:
        """Whether a postponed unit may start now: first alone on the machine, after a pause."""
        now = time.monotonic()
        if not self._is_last_part and not self._tickets:
            self._is_last_part = True
            self._concurrency.restrict(1)
            self._backoff.begin(now)
        backoff = self._backoff
        return self._is_last_part and now >= backoff.end_of_pause() and not backoff.should_give_up(now)

    def wait_or_give_up(self) -> None:
        """Wait until a postponed unit may start; if the machine has been busy for too long, give up all of them."""
        if self._backoff.should_give_up(time.monotonic()):
            self._backoff.give_up()
            for _ in range(len(self._postponed)):
                job = self._postponed.popleft()
                self._give_up(job, unfair_text(job.attempts[-1], len(job.attempts)))
            return
        if time.monotonic() >= self._backoff.end_of_pause():
            return
        progress = self._progress
        progress.waiting = say(
            "Waiting for the machine to become less busy: {n} game to play again",
            "Waiting for the machine to become less busy: {n} games to play again",
            n=sum(len(job.keys) for job in self._postponed),
        )
        progress.step(0, progress.last, self._watch)
        wait_for_calm(self._backoff, self._patience, self._engine.idle_cores(), self.observer.waiting)
        progress.waiting = ""

    def done(self, job: UnitJob, outcome: UnitResult | WorkersLost) -> None:
        """Take the result of a unit."""
        key = job.keys[0]
        unit, ticket, seconds = self._playing[key], self._tickets.pop(key), self.observer.ended(key)
        if isinstance(outcome, WorkersLost):
            self._give_up(job, outcome.args[0])
            return
        now, busy = time.monotonic(), bool(outcome.fault) and outcome.busy
        if busy or not outcome.fault:
            self._concurrency.ended(ticket, disturbed=busy or is_disturbed(outcome.records))
        if not outcome.fault:
            self._backoff.note_fair(now)
            self._keep(job, outcome.records)
            self._pace.learn(unit, seconds or sum(map(seconds_of, outcome.records)))
            game = self._setup.assignment(unit[0]).rules
            self._settle(unit, self._summary(unit, outcome.records, game))
            return
        again = replace(
            job, attempts=(*job.attempts, outcome.fault), busy_attempts=job.busy_attempts + (1 if busy else 0)
        )
        if busy:
            self._backoff.note_busy(now)
            self._postponed.append(again)
        elif len(again.attempts) - again.busy_attempts < TRIES:
            self._again.append(again)
        else:
            self._give_up(again, unfair_text(outcome.fault, len(again.attempts)))
            return
        self._pace.learn_attempt(unit, seconds or 0.0)
        text = say("{pair}: will be played again. {why}", pair=self._pair(unit), why=outcome.fault)
        self._progress.step(0, text, self._watch)

    def _give_up(self, job: UnitJob, why: str) -> None:
        """Record that a unit could not be played."""
        unit = self._playing[job.keys[0]]
        text = say("{pair}: {result}", pair=self._pair(unit), result=why)
        self.failed.append(UnplayedGame(game=self._setup.assignment(unit[0]).rules.name, text=text))
        self._settle(unit, why)

    def _keep(self, job: UnitJob, records: Sequence[MatchRecord]) -> None:
        matches = list(zip(job.keys, records, strict=True))
        self._store.add(matches)
        self._results.update(matches)

    def _settle(self, unit: Unit, result: str) -> None:
        """Tell the schedule that a unit has ended, and report the progress."""
        del self._playing[unit[0].key]
        what = say("{pair}: {result}", pair=self._pair(unit), result=result)
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
            workers = self._concurrency.limit or self._engine.workers
            left = self._pace.left(self._schedule.remaining, workers, since)
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
    patience: Patience = PATIENT,
) -> Competition:
    """Play schedules one after the other, adding to `results`, and return the competition."""
    unplayed: list[UnplayedGame] = []
    fewest: list[int] = []

    def outcome() -> Competition:
        return Competition(
            setup=setup,
            pairing=pairing,
            fixtures=tuple(fixture for schedule in schedules for fixture in schedule.fixtures),
            results=results,
            unloadable=unloadable,
            unplayed=tuple(unplayed),
            fewest=min(fewest, default=None),
        )

    progress = Progress(outcome=outcome)
    for schedule in schedules:
        played = play(setup, schedule, results, engine, store, progress, watch, patience)
        unplayed += played.failed
        fewest += [] if played.fewest is None else [played.fewest]
    return outcome()
