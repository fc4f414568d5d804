"""Trials: load every player once before the games, to report failures early and to measure its speed.

Only a success is remembered: what was missing may have been installed since, so a failure is tried again with every run.
"""

from collections import deque

from grader.competition.play import Progress, Watch
from grader.competition.records import Entrant, Setup
from grader.competition.seating import trial_job
from grader.engine.base import Engine, WorkersLost
from grader.engine.jobs import Trial, TrialJob, try_out
from grader.fixtures import content_key
from grader.language import say
from grader.store import NOT_OURS, Store


def try_players(setup: Setup, engine: Engine, store: Store, watch: Watch) -> dict[str, Trial]:
    """Load every player once and ask it for a move that does not count. Returns the results by submission."""
    trials: dict[str, Trial] = {}
    waiting: deque[Entrant] = deque()
    keys = {entrant.id: _trial_key(entrant) for entrant in setup.entrants}
    for entrant in setup.entrants:
        if entrant.disqualification or entrant.is_excused:
            continue
        known = _remembered_trial(store, keys[entrant.id])
        if entrant.entry is None:
            trials[entrant.id] = Trial.without_player(entrant.no_player)
        elif known is not None:
            trials[entrant.id] = known
        else:
            waiting.append(entrant)
    progress = Progress()
    progress.begin(say("Loading"), len(waiting))

    def next_job() -> TrialJob | None:
        return trial_job(setup, waiting.popleft()) if waiting else None

    def done(job: TrialJob, outcome: Trial | WorkersLost) -> None:
        trial = Trial(fault=None, error=outcome.args[0]) if isinstance(outcome, WorkersLost) else outcome
        name = job.seating.name
        if not trial.error and trial.fault is None:
            store.note({keys[name]: trial.as_json()})
        trials[name] = trial
        progress.step(1, say("{name} {result}", name=name, result=trial.summary()), watch)

    if waiting:
        engine.run(try_out, next_job, done)
    return trials


def _remembered_trial(store: Store, key: str) -> Trial | None:
    """The result of an earlier trial, if it succeeded."""
    note = store.read_note(key)
    if note is None:
        return None
    try:
        trial = Trial.from_json(note)
    except NOT_OURS as error:
        raise store.unreadable_error(error) from error
    return trial if trial.fault is None else None


def _trial_key(entrant: Entrant) -> str:
    return f"trial/{content_key(entrant.assignment, entrant.identity)}"
