"""Trials: load every player once before the games, to report failures early and to measure its speed.

Only a success is remembered: what was missing may have been installed since, so a failure is tried again with every run.
"""

import time
from collections import deque

from grader.competition.progress import Progress, RunningJob, RunningJobs, Watch
from grader.competition.records import Entrant, Setup
from grader.competition.seating import trial_job
from grader.competition.trial_memory import remembered_trial, trial_key
from grader.engine.base import Engine, Reached, WorkersLost
from grader.engine.jobs import Trial, TrialJob, try_out
from grader.language import say
from grader.store import Store


def try_players(setup: Setup, engine: Engine, store: Store, watch: Watch) -> dict[str, Trial]:
    """Load every player once and ask it for a move that does not count. Returns the results by submission."""
    trials: dict[str, Trial] = {}
    waiting: deque[Entrant] = deque()
    entrants = {entrant.id: entrant for entrant in setup.entrants}
    for entrant in setup.entrants:
        if entrant.disqualification or entrant.is_excused:
            continue
        known = remembered_trial(store, entrant)
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

    def describe(job: TrialJob, reached: Reached) -> tuple[str, RunningJob]:
        name = job.seating.name
        return name, RunningJob(setup.names[name], 0, reached, time.monotonic())

    observer = RunningJobs(progress, watch, describe)

    def done(job: TrialJob, outcome: Trial | WorkersLost) -> None:
        trial = Trial(fault=None, error=outcome.args[0]) if isinstance(outcome, WorkersLost) else outcome
        name = job.seating.name
        if not trial.error and trial.fault is None:
            store.note({trial_key(entrants[name]): trial.as_json()})
        trials[name] = trial
        observer.ended(name)
        progress.step(1, say("{name} {result}", name=setup.names[name], result=trial.summary()), watch)

    if waiting:
        engine.run(try_out, next_job, done, observer)
    return trials
