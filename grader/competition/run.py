"""The whole of it: from a folder of submissions to grades.

    submissions folder ─intake→ Submission ─find the player, static check→ Candidate     (prepare)
    assignment ─┬─schedule→ Fixture… ─engine→ MatchRecord ─→ store                       (play)
                └────────────────────────────────────────── store ─scoring→ Grade        (grades)

Reports are made from what `run` returns, by whoever asked for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from grader.assignment import Assignment
from grader.competition.grades import Graded, grades
from grader.competition.play import Progress, Watch, play_all, try_all
from grader.competition.prepare import Candidate, Prepared, Request, prepare, with_games
from grader.engine.base import Engine
from grader.engine.local import Local
from grader.fixtures import Fixture
from grader.store import Store

__all__ = ["Candidate", "Choose", "Graded", "Prepared", "Progress", "Request", "Watch", "prepare", "run"]


Choose = Callable[[Prepared, Mapping[str, float], Sequence[tuple[Assignment, Fixture]]], int | None]
"""Decides how many games against each opponent to play, if not all.

It is told what is prepared, each player's seconds for a move, and the games that have not been played before.
"""


def run(
    request: Request,
    staging: Path,
    store: Store,
    watch: Watch = lambda _: None,
    choose: Choose = lambda *_: None,
    engine: Engine | None = None,
    assignments: tuple[Assignment, ...] | None = None,
) -> Graded:
    """Grade a folder: look at every submission, load each once, play what has not been played, and score.

    It is played by `engine`, and on this machine if none is given; by `assignments`, and by those that the request means if
    none are given.
    """
    engine = engine or Local(request.workers)
    prepared = prepare(replace(request, workers=engine.workers), staging, assignments, weakest=engine.weakest())
    progress = Progress()
    trials = try_all(prepared, engine, store, progress, watch)
    unloadable = {name: trial for name, trial in trials.items() if trial.fault is not None}
    pace = {name: trial.seconds for name, trial in trials.items() if trial.fault is None}
    games = choose(prepared, pace, _unplayed(prepared, pace, store))
    if games is not None:
        prepared = with_games(prepared, games)
    results = play_all(prepared, engine, unloadable, store, progress, watch)
    return grades(prepared, unloadable, results, progress.faults)


def _unplayed(prepared: Prepared, pace: Mapping[str, float], store: Store) -> list[tuple[Assignment, Fixture]]:
    return [
        (candidate.assignment, fixture)
        for candidate in prepared.candidates
        if candidate.id in pace
        for fixture in candidate.planned
        if not store.has(fixture.key)
    ]
