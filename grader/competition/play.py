"""Start players: each once to see that it loads, then all games that can still change a grade."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from grader.competition.grades import Graded, grades
from grader.competition.prepare import Candidate, Prepared
from grader.competition.seating import limits_of, paired, seated
from grader.engine.base import Engine, WorkersLost
from grader.engine.jobs import Trial, TrialJob, UnitJob, UnitResult, play_unit, try_out
from grader.fixtures import Unit, content_key, derived_seed, rival_key, units
from grader.games import Game
from grader.language import Message, say
from grader.records import MatchRecord
from grader.reports.endings import named
from grader.results.saved import NOT_OURS
from grader.sandbox.isolation import Level
from grader.scoring.points import needed
from grader.store import Store

Results = dict[str, MatchRecord]
"""Finished matches by the key of their fixture."""


@dataclass(slots=True)
class Progress:
    """How far a run is. Whoever watches is called with it after each step."""

    phase: str = ""
    total: int = 0
    done: int = 0
    stored: int = 0
    """Of those done, taken from an earlier run."""
    last: str = ""
    faults: list[str] = field(default_factory=list)
    graded: Callable[[], Graded] | None = None
    """What the run would come to if it ended now; None before the first game."""

    def begin(self, phase: str, total: int, stored: int = 0) -> None:
        """Start a phase."""
        self.phase, self.total, self.done, self.stored = phase, total, stored, stored

    def step(self, count: int, what: str, watch: "Watch") -> None:
        """So many are done, the last of them this."""
        self.done += count
        self.last = what
        watch(self)


Watch = Callable[[Progress], None]


def try_all(prepared: Prepared, engine: Engine, store: Store, progress: Progress, watch: Watch) -> dict[str, Trial]:
    """Load every player once and ask it for one unscored move. Returns how each fared, by submission."""
    trials: dict[str, Trial] = {}
    waiting: deque[Candidate] = deque()
    for candidate in prepared.candidates:
        if candidate.barred or candidate.excused:
            continue
        known = store.noted(_trial_key(candidate))
        if candidate.player.entry is None:
            trials[candidate.id] = Trial.without_player(candidate.findings)
        elif known is not None:
            trials[candidate.id] = _known(known, store)
        else:
            waiting.append(candidate)
    progress.begin(say("Loading"), len(waiting))
    keys = {candidate.id: _trial_key(candidate) for candidate in waiting}

    def next_job() -> TrialJob | None:
        return _trial_job(waiting.popleft(), prepared.level) if waiting else None

    def done(job: TrialJob, outcome: Trial | WorkersLost) -> None:
        trial = Trial(fault=None, error=outcome.args[0]) if isinstance(outcome, WorkersLost) else outcome
        if not trial.error:
            store.note(keys[job.seating.name], trial.as_json())
        trials[job.seating.name] = trial
        progress.step(1, say("{name} {said}", name=job.seating.name, said=trial.summary()), watch)

    if waiting:
        engine.run(try_out, next_job, done)
    return trials


def _known(note: Any, store: Store) -> Trial:
    """How somebody was loaded before."""
    try:
        return Trial.from_json(note)
    except NOT_OURS as error:
        raise store.unreadable(error) from error


def play_all(
    prepared: Prepared,
    engine: Engine,
    unloadable: dict[str, Trial],
    store: Store,
    progress: Progress,
    watch: Watch,
) -> Results:
    """Play every game that can still change a grade and has not been played before."""
    able = [
        candidate
        for candidate in prepared.candidates
        if candidate.id not in unloadable and not candidate.barred and not candidate.excused
    ]
    results: Results = {}
    progress.graded = lambda: grades(prepared, unloadable, results, progress.faults)
    for candidate in able:
        for fixture in candidate.planned:
            record = store.get(fixture.key)
            if record is not None:
                results[fixture.key] = record
    rota = Rota(able, results)
    begun: dict[str, tuple[Candidate, Unit]] = {}
    progress.begin(say("Playing"), sum(len(candidate.planned) for candidate in able), stored=len(results))

    def next_job() -> UnitJob | None:
        following = rota.next()
        if following is None:
            return None
        begun[following[1].key] = following
        return _unit_job(prepared, *following)

    def done(job: UnitJob, outcome: UnitResult | WorkersLost) -> None:
        played = kept(job, outcome, store, results)
        candidate, unit = begun.pop(job.keys[0])
        opponent = candidate.assignment.opponents[unit.fixtures[0].opponent].name
        who = say("{name} against {opponent}", name=candidate.id, opponent=opponent)
        if played.fault:
            progress.faults.append(say("{who}: {said}", who=who, said=played.fault))
        rota.heard(unit)
        progress.step(
            len(job.keys),
            say("{who}: {said}", who=who, said=played.fault or _said(unit, played, candidate.assignment.rules)),
            watch,
        )

    if rota:
        engine.run(play_unit, next_job, done)
    return results


def kept(job: UnitJob, outcome: UnitResult | WorkersLost, store: Store, results: Results) -> UnitResult:
    """What came of a unit. Its matches are in the store and among the results by then, unless it was our fault."""
    played = UnitResult(fault=outcome.args[0]) if isinstance(outcome, WorkersLost) else outcome
    if not played.fault:
        matches = list(zip(job.keys, played.records, strict=True))
        store.add(matches)
        results.update(matches)
    return played


class Rota:
    """What is to be played next: one unit of each submission in turn, so that all come on alike.

    After each result the submission is looked at again: its other games may be needed no more, or only now.
    """

    def __init__(self, candidates: Sequence[Candidate], results: Results) -> None:
        self._results = results
        self._by_id = {candidate.id: candidate for candidate in candidates}
        self._waiting = deque(self._by_id)
        self._begun: set[str] = set()

    def __bool__(self) -> bool:
        return any(self._open(self._by_id[name]) is not None for name in self._waiting)

    def next(self) -> tuple[Candidate, Unit] | None:
        """The next unit, or None if there is none until another result is heard."""
        while self._waiting:
            candidate = self._by_id[self._waiting.popleft()]
            unit = self._open(candidate)
            if unit is not None:
                self._begun.add(unit.key)
                self._waiting.append(candidate.id)
                return candidate, unit
        return None

    def heard(self, unit: Unit) -> None:
        """A unit is over, one way or another."""
        name = unit.fixtures[0].submission
        if name not in self._waiting:
            self._waiting.append(name)

    def _open(self, candidate: Candidate) -> Unit | None:
        wanted = {fixture.key for fixture in needed(candidate.assignment, candidate.planned, self._results)}
        for unit in units(candidate.assignment, candidate.planned):
            unplayed = any(fixture.key in wanted and fixture.key not in self._results for fixture in unit.fixtures)
            if unplayed and unit.key not in self._begun:
                return unit
        return None


def _said(unit: Unit, played: UnitResult, game: Game) -> Message:
    """How a unit went, in a few words."""
    games = [_ended(record, fixture.seat, game) for fixture, record in zip(unit.fixtures, played.records, strict=True)]
    return reduce(lambda some, more: say("{some}, {more}", some=some, more=more), games)


def _ended(record: MatchRecord, seat: int, game: Game) -> Message:
    ending = named(record.ending, game)
    if record.winner is None:
        return say("drawn, {ending}", ending=ending)
    return say("won, {ending}", ending=ending) if record.winner == seat else say("lost, {ending}", ending=ending)


def _trial_key(candidate: Candidate) -> str:
    return f"trial/{content_key(candidate.assignment, candidate.identity)}"


def _trial_job(candidate: Candidate, level: Level) -> TrialJob:
    assignment = candidate.assignment
    return TrialJob(
        seating=seated(candidate, 1, derived_seed(assignment.seed, "trial")),
        game=assignment.rules,
        limits=limits_of(assignment, level),
    )


def _unit_job(prepared: Prepared, candidate: Candidate, unit: Unit) -> UnitJob:
    assignment = candidate.assignment
    opponent = assignment.opponents[unit.fixtures[0].opponent]
    reference = prepared.rivals[rival_key(assignment, opponent)]
    return UnitJob(
        keys=tuple(fixture.key for fixture in unit.fixtures),
        seeds=tuple(fixture.seed for fixture in unit.fixtures),
        game=assignment.rules,
        seatings=tuple(paired(candidate, fixture, reference, prepared.level) for fixture in unit.fixtures),
        limits=limits_of(assignment, prepared.level),
    )
