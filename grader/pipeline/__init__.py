"""The whole of it: from a folder of submissions to grades.

    submissions folder ─intake→ Submission ─find the player, static check→ Candidate     (prepare)
    assignment ─┬─schedule→ Fixture… ─engine→ MatchRecord ─→ store                       (play)
                └────────────────────────────────────────── store ─scoring→ Grade        (grades)

Reports are made from what `run` returns, by whoever asked for it.
"""

from collections.abc import Callable

from grader.pipeline.grades import Graded, grades
from grader.pipeline.play import Progress, Watch, play_all, try_all
from grader.pipeline.prepare import Candidate, Prepared, Request, prepare, with_games
from grader.store import Store

__all__ = ["Candidate", "Graded", "Prepared", "Progress", "Request", "Watch", "prepare", "run"]


Choose = Callable[[Prepared, dict[str, float]], int | None]
"""Decides how many games against each opponent to play, from what is prepared and each player's seconds for a move."""


def run(request: Request, store: Store, watch: Watch = lambda _: None, choose: Choose = lambda *_: None) -> Graded:
    """Grade a folder: look at every submission, load each once, play what has not been played, and score."""
    prepared = prepare(request)
    progress = Progress()
    trials = try_all(prepared, store, progress, watch)
    unloadable = {name: trial for name, trial in trials.items() if trial.fault is not None}
    games = choose(prepared, {name: trial.seconds for name, trial in trials.items() if trial.fault is None})
    if games is not None:
        prepared = with_games(prepared, games)
    results = play_all(prepared, unloadable, store, progress, watch)
    return grades(prepared, unloadable, results, progress.faults)
