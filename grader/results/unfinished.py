"""Unfinished competitions: save what is planned while it is played, so that reports can be written before the end."""

from dataclasses import replace

from grader.competition.progress import LiveWatch, Progress, Watch
from grader.competition.records import Competition
from grader.results import saved
from grader.store import Store


class PlanKeeper:
    """A `Watch` that saves the plan of a competition with its first game, and whenever further games are planned."""

    def __init__(self, store: Store, inner: Watch) -> None:
        self._store, self._inner = store, inner
        self._phase: str | None = None

    def __call__(self, progress: Progress) -> None:
        """Save the plan, if it may have changed, and pass a step on."""
        if progress.outcome is not None and progress.phase != self._phase:
            self._phase = progress.phase
            saved.save_plan(self._store, progress.outcome())
        self._inner(progress)

    def refresh(self, progress: Progress) -> None:
        """Pass it on."""
        if isinstance(self._inner, LiveWatch):
            self._inner.refresh(progress)


def load_finished_or_interim(store: Store) -> Competition:
    """The saved competition; if none has been finished in this folder, the unfinished one with its games so far."""
    plan = None if saved.is_finished(store) else saved.load_plan(store)
    return saved.load(store) if plan is None else replace(plan, interim=True, seal="")
