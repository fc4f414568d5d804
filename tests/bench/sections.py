"""The sections of the benchmarks, in the order in which they run."""

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
    """Whether it has a quick version, `report(effort) -> Report`; otherwise it is `report() -> str`."""
    default: bool = True
    """Whether it runs if no sections are named."""

    def run(self, effort: Effort) -> Report:
        """Run it in its own process, so that its imports do not affect other sections."""
        with ProcessPoolExecutor(1, get_context("spawn"), _log_progress) as pool:
            return pool.submit(self._report, effort).result()

    def _report(self, effort: Effort) -> Report:
        module = import_module(f"tests.bench.{self.module}")
        found: Report = module.report(effort) if self.scales else Report(module.report())
        return found


SECTIONS = {
    "boards": Section("boards", "HexBoard against a plain board", "15 s"),
    "games": Section("games", "a step of a game against PettingZoo and OpenSpiel", "5 s"),
    "players": Section("players", "the reference players' searches against OpenSpiel and heapq", "5 s"),
    "referee": Section("referee", "the cost of sandbox and clock, against kaggle-environments", "5 min"),
    "protection": Section("protection", "the cost of private copies and of the filter of system calls", "2 min"),
    "run": Section("run", "the cost of a run apart from its players, and how it scales", "15 min"),
    "reading": Section("reading", "reading submissions in limited processes", "1 min"),
    "report": Section("pages", "report.html of a large class", "1 min"),
    "similarity": Section("similarity", "comparing a class", "1 min"),
    "ladder": Section("ladder", "reference players against each other", "10 to 25 min"),
    "variety": Section("variety", "the number of different games of each reference player", "20 min"),
    "load": Section("load", "500 submissions × 20 games", "half an hour", scales=False),
    "faults": Section("faults", "kill -9, a hundred times", "a few minutes", scales=False),
    "overload": Section("overload", "false time-outs next to 8 busy processes per core", "15 to 25 min", default=False),
    "soak": Section("soak", "honest and hostile submissions for an hour", "1 h", scales=False, default=False),
}


def _log_progress() -> None:
    """Log progress to stderr."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
