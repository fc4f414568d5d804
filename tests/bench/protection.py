"""What the protections of a player's process cost: games of the examples with and without each, measured alternately."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from unittest.mock import patch

from tabulate import tabulate

from grader.engine.match import run_match
from grader.games.hex import Hex
from grader.sandbox import control_group, templates
from grader.sandbox.file_access import program
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.process import Seating
from grader.sandbox.templates import close_idle
from tests.bench.figures import Effort, Report
from tests.bench.timing import cpu_of_all, repeated
from tests.command import PROJECT
from tests.sandbox.seats import seating

ROUNDS = {Effort.FULL: 9, Effort.QUICK: 1}
EXAMPLES = ("hex_centre", "hex_shortest_path")
VARIANTS = ("without both", "with a private copy", "with the filter", "with both")
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

    def play() -> None:
        record = run_match(Hex(11), (seats[0], seats[1]), LIMITS, seed=1)
        assert record.fault is None, record.fault

    with _filtering(variant):
        cpu = cpu_of_all(repeated(play, 1))
        play()  # starts the templates
        return cpu()


def _seating(file: Path, number: int, variant: str) -> Seating:
    found = seating(file, number, readable=(file.parent,))
    entry = {**found.entry, "course_modules": ["player", "board"]}
    return replace(found, entry=entry, installed=variant in ("without both", "with the filter"))


@contextmanager
def _filtering(variant: str) -> Iterator[None]:
    """Start new templates, whose players have no filter of system calls unless the variant has it."""
    close_idle()
    with patch.object(
        templates, "program", program if variant in ("with the filter", "with both") else _without_filter
    ):
        yield


def _without_filter(module: str) -> str:
    return program(module).replace(
        "main()", "from grader.sandbox import seccomp; seccomp.restrict = lambda _: None; main()"
    )
