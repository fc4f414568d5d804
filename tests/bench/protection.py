"""What the protections of a player's process cost: games of the examples with and without each, measured alternately."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from unittest.mock import patch

from tabulate import tabulate

from grader.engine.match import run_match
from grader.games.hex import Hex
from grader.sandbox import control_group, launch
from grader.sandbox.file_access import BOOTSTRAP
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.process import Seating
from tests.bench.figures import Effort, Report
from tests.command import PROJECT
from tests.sandbox.seats import seating

ROUNDS = {Effort.FULL: 9, Effort.QUICK: 1}
EXAMPLES = ("hex_centre", "hex_shortest_path")
WITHOUT_FILTER = BOOTSTRAP.replace(
    "main()", "from grader.sandbox import seccomp; seccomp.restrict = lambda _: None; main()"
)
VARIANTS = ("without both", "with a private copy", "with the filter", "with both")
# At this level the players are direct children of this process, so that the system reports all their CPU time.
LIMITS = Limits(time=TimeLimits(move=9.0), isolation=Level.GOOD)


def report(effort: Effort) -> Report:
    rows = [row for example in EXAMPLES for row in measure(example, ROUNDS[effort])]
    groups = control_group.group_offer()
    note = f"Control groups: {groups.folder or groups.reason}."
    header = ["a game of 11×11 Hex between two", "protection", "CPU ms", "ratio", "ratio of medians"]
    return Report(f"{tabulate(rows, header, floatfmt='.2f')}\n\n{note}")


def measure(example: str, rounds: int) -> list[list[object]]:
    """CPU time of a game in all processes in each variant, as a ratio to the first."""
    found: dict[str, list[float]] = {variant: [] for variant in VARIANTS}
    for _ in range(rounds):
        for variant in VARIANTS:
            found[variant].append(cpu_of_a_game(example, variant))
    plain = found[VARIANTS[0]]
    return [
        [example, variant, 1000 * min(times), min(times) / min(plain), median(times) / median(plain)]
        for variant, times in found.items()
    ]


def cpu_of_a_game(example: str, variant: str) -> float:
    folder = PROJECT / "submissions" / example
    seats = tuple(_seating(folder / "solution.py", number, variant) for number in (1, 2))
    with _filtering(variant):
        began = _cpu()
        record = run_match(Hex(11), (seats[0], seats[1]), LIMITS, seed=1)
        used = _cpu() - began
    assert record.fault is None, record.fault
    return used


def _seating(file: Path, number: int, variant: str) -> Seating:
    found = seating(file, number, readable=(file.parent,))
    entry = {**found.entry, "course_modules": ["player", "board"]}
    return replace(found, entry=entry, installed=variant in ("without both", "with the filter"))


@contextmanager
def _filtering(variant: str) -> Iterator[None]:
    """Start players without the filter of system calls, unless the variant has it."""
    program = BOOTSTRAP if variant in ("with the filter", "with both") else WITHOUT_FILTER
    with patch.object(launch, "BOOTSTRAP", program):
        yield


def _cpu() -> float:
    own, children = os.times(), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.user + own.system + children.ru_utime + children.ru_stime
