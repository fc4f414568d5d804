"""The sections of the bench, in the order in which they run."""

import logging
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context

from tests.bench.figures import Effort, Report


@dataclass(frozen=True, slots=True)
class Section:
    """A module of this folder, and what its `report` measures."""

    module: str
    what: str
    takes: str
    scales: bool = True
    """Whether it has a quick version: `report(effort)`; else it is `report()`, and only text."""
    unasked: bool = True
    """Whether it runs when nobody names it."""

    def measured(self, effort: Effort) -> Report:
        """In a process of its own: what one section imports burdens no other."""
        with ProcessPoolExecutor(1, get_context("spawn"), _tell_progress) as alone:
            return alone.submit(self._report, effort).result()

    def _report(self, effort: Effort) -> Report:
        module = import_module(f"tests.bench.{self.module}")
        found: Report = module.report(effort) if self.scales else Report(module.report())
        return found


SECTIONS = {
    "boards": Section("boards", "HexBoard against a plain board", "15 s"),
    "games": Section("games", "a step of a game against PettingZoo and OpenSpiel", "5 s"),
    "players": Section("players", "the reference players' searches against OpenSpiel and heapq", "5 s"),
    "referee": Section("referee", "what walls and clock cost, against kaggle-environments", "5 min"),
    "run": Section("run", "what a run costs beside its players, and how it scales", "15 min"),
    "report": Section("pages", "report.html of a large class", "1 min"),
    "similarity": Section("similarity", "comparing a class", "1 min"),
    "ladder": Section("ladder", "reference players against each other", "10 to 25 min"),
    "load": Section("load", "500 submissions × 20 games", "half an hour", scales=False),
    "faults": Section("faults", "kill -9, a hundred times", "some minutes", scales=False),
    "soak": Section("soak", "honest and hostile submissions for an hour", "1 h", scales=False, unasked=False),
}


def _tell_progress() -> None:
    """On stderr, so that whoever waits sees that it lives."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
