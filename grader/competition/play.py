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
    failed: list[UnplayedGame] = []
    playing: dict[str, Unit] = {}
    postponed: deque[UnitJob] = deque()
    pace = Pace(cache(lambda fixture: estimate([(setup.assignment(fixture), fixture)], {}, 1).expected))
    estimated = -math.inf
    known = sum(fixture.key in results for fixture in schedule.fixtures)
    progress.begin(schedule.phase, known + schedule.left, stored=known)

    def next_job() -> UnitJob | None:
        unit = schedule.next()
        if unit is None:
            return postponed.popleft() if postponed else None
        playing[unit[0].key] = unit
        return unit_job(setup, unit)

    def done(job: UnitJob, outcome: UnitResult | WorkersLost) -> None:
        unit = playing[job.keys[0]]
        played = UnitResult(fault=outcome.args[0]) if isinstance(outcome, WorkersLost) else outcome
        if played.fault and not isinstance(outcome, WorkersLost):
            attempts = (*job.attempts, played.fault)
            if len(attempts) < TRIES:  # later, when the machine may be less busy
                postponed.append(replace(job, attempts=attempts))
                why = say("{pair}: will be played again. {why}", pair=_pair(unit), why=played.fault)
                progress.step(0, why, watch)
                return
            played = UnitResult(fault=unfair_text(played.fault))
        del playing[job.keys[0]]
        game = setup.assignment(unit[0]).rules
        if played.fault:
            failed.append(
                UnplayedGame(game=game.name, text=say("{pair}: {result}", pair=_pair(unit), result=played.fault))
            )
        else:
            matches = list(zip(job.keys, played.records, strict=True))
            store.add(matches)
            results.update(matches)
            for fixture, record in zip(unit, played.records, strict=True):
                pace.learn(fixture, record)
        phase, before = schedule.phase, schedule.left
        schedule.settle(unit)
        settled = len(unit) if schedule.phase != phase else max(len(unit), before - schedule.left)
        left = 0 if schedule.phase != phase else schedule.left
        progress.total = progress.done + settled + left
        nonlocal estimated
        if (now := time.monotonic()) - estimated >= _ESTIMATE_EVERY:
            estimated, progress.left = now, pace.left(schedule.remaining, engine.workers)
        result = played.fault or _summary(unit, played.records, game)
        progress.step(settled, say("{pair}: {result}", pair=_pair(unit), result=result), watch)
        if schedule.phase != phase:
            progress.begin(schedule.phase, schedule.left)

    if schedule.left:
        engine.run(play_unit, next_job, done)
    return failed


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
