"""Start players: each once to see that it loads, then all games that can still change a grade."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from grader.assignment import Assignment
from grader.engine.jobs import Played, Trial, TrialJob, UnitJob, play_unit, try_out
from grader.engine.local import Pool, WorkersLost
from grader.games import make_game
from grader.pipeline.prepare import Candidate, Prepared
from grader.records import MatchRecord
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits, Overrun, TimeLimits
from grader.sandbox.process import Seating
from grader.schedule import Unit, derived_seed, rival, units
from grader.scoring import needed
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

    def begin(self, phase: str, total: int, stored: int = 0) -> None:
        """Start a phase."""
        self.phase, self.total, self.done, self.stored = phase, total, stored, stored

    def step(self, count: int, what: str, watch: "Watch") -> None:
        """So many are done, the last of them this."""
        self.done += count
        self.last = what
        watch(self)


Watch = Callable[[Progress], None]


def try_all(prepared: Prepared, store: Store, progress: Progress, watch: Watch) -> dict[str, Trial]:
    """Load every player once and ask it for one unscored move. Returns how each fared, by submission."""
    trials: dict[str, Trial] = {}
    waiting: deque[Candidate] = deque()
    for candidate in prepared.candidates:
        if candidate.barred:
            continue
        known = store.noted(_trial_key(candidate))
        if candidate.player.entry is None:
            trials[candidate.id] = Trial.without_player(candidate.findings)
        elif known is not None:
            trials[candidate.id] = Trial.from_json(known)
        else:
            waiting.append(candidate)
    progress.begin("Loading", len(waiting))
    keys = {candidate.id: _trial_key(candidate) for candidate in waiting}

    def next_job() -> TrialJob | None:
        return _trial_job(waiting.popleft(), prepared.level) if waiting else None

    def done(job: TrialJob, outcome: Trial | WorkersLost) -> None:
        trial = Trial(fault=None, error=str(outcome)) if isinstance(outcome, WorkersLost) else outcome
        if not trial.error:
            store.note(keys[job.seating.name], trial.as_json())
        trials[job.seating.name] = trial
        progress.step(1, f"{job.seating.name} {trial.said()}", watch)

    if waiting:
        with Pool[TrialJob, Trial](try_out, prepared.request.workers) as pool:
            pool.run(next_job, done)
    return trials


def play_all(
    prepared: Prepared, unloadable: dict[str, Trial], store: Store, progress: Progress, watch: Watch
) -> Results:
    """Play every game that can still change a grade and has not been played before."""
    able = [candidate for candidate in prepared.candidates if candidate.id not in unloadable and not candidate.barred]
    results: Results = {}
    for candidate in able:
        for fixture in candidate.planned:
            record = store.get(fixture.key)
            if record is not None:
                results[fixture.key] = record
    rota = Rota(able, results)
    progress.begin("Playing", sum(len(candidate.planned) for candidate in able), stored=len(results))

    def next_job() -> UnitJob | None:
        following = rota.next()
        return None if following is None else _unit_job(prepared, *following)

    def done(job: UnitJob, outcome: Played | WorkersLost) -> None:
        played = Played(fault=str(outcome)) if isinstance(outcome, WorkersLost) else outcome
        who = f"{job.unit.fixtures[0].submission} against {job.opponent}"
        if played.fault:
            progress.faults.append(f"{who}: {played.fault}")
        else:
            matches = list(zip((fixture.key for fixture in job.unit.fixtures), played.records, strict=True))
            store.add(matches)
            results.update(matches)
        rota.heard(job.unit)
        progress.step(len(job.unit.fixtures), f"{who}: {played.fault or played.said(job.unit)}", watch)

    if rota:
        with Pool[UnitJob, Played](play_unit, prepared.request.workers) as pool:
            pool.run(next_job, done)
    return results


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


def _trial_key(candidate: Candidate) -> str:
    return f"trial/{candidate.planned[0].key}"


def _limits(assignment: Assignment, level: Level) -> Limits:
    time = assignment.time
    return Limits(
        time=TimeLimits(
            move=time.move or time.bank or 0.0,
            load=time.load,
            grace=time.grace,
            bank=time.bank,
            increment=time.increment,
            overrun=Overrun(assignment.overrun),
        ),
        memory_mb=assignment.limits.memory_mb,
        descriptors=assignment.limits.descriptors,
        output_kb=assignment.limits.output_kb,
        scratch_mb=assignment.limits.scratch_mb,
        isolation=level,
        required=Level[assignment.isolation.upper()],
    )


def _seating(candidate: Candidate, player_id: int, seed: int) -> Seating:
    assert candidate.player.entry is not None
    return Seating(
        name=candidate.id,
        entry=candidate.player.entry.as_order(),
        player_id=player_id,
        seed=seed,
        extended=candidate.assignment.extended_board,
    )


def _trial_job(candidate: Candidate, level: Level) -> TrialJob:
    assignment = candidate.assignment
    return TrialJob(
        seating=_seating(candidate, 1, derived_seed(assignment.seed, "trial")),
        game=make_game(assignment.game, assignment.options),
        limits=_limits(assignment, level),
    )


def _unit_job(prepared: Prepared, candidate: Candidate, unit: Unit) -> UnitJob:
    assignment = candidate.assignment
    opponent = assignment.opponents[unit.fixtures[0].opponent]
    reference = prepared.rivals[rival(opponent)]
    assert reference.entry is not None
    pairs = []
    for fixture in unit.fixtures:
        own = _seating(candidate, fixture.seat + 1, fixture.seed)
        other = Seating(
            name=opponent.name,
            entry=reference.entry.as_order(),
            player_id=2 - fixture.seat,
            seed=fixture.opponent_seed,
            options={**reference.options, "opening": fixture.opening},
            reference=True,
        )
        pairs.append((own, other) if fixture.seat == 0 else (other, own))
    return UnitJob(
        unit=unit,
        opponent=opponent.name,
        game=make_game(assignment.game, assignment.options),
        seatings=tuple(pairs),
        limits=_limits(assignment, prepared.level),
    )
