"""What it costs to read each submission in a limited process of its own, against reading all in this one."""

import logging
import os
import random
import statistics
import tempfile
from pathlib import Path

from grader.inspection.inspect_code import CodeRules, inspect_code
from grader.intake.collect import collect
from grader.intake.reader import PlainReader
from grader.reading.tasks import ClassReading
from tests.bench.figures import Effort, Report

log = logging.getLogger(__name__)
SIZES = {Effort.FULL: 50, Effort.QUICK: 3}
ROUNDS = {Effort.FULL: 3, Effort.QUICK: 1}
FUNCTIONS = 40
"""The functions in each submission, which has about 400 lines."""
RULES = (CodeRules(game="hex"),)


def report(effort: Effort) -> Report:
    """The CPU time per submission both ways, in interleaved rounds."""
    size, plain, limited = SIZES[effort], list[float](), list[float]()
    for at in range(ROUNDS[effort]):
        log.info("round %d", at + 1)
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "class")
            for number in range(size):
                own = source / f"s{number:03}"
                own.mkdir(parents=True)
                (own / "solution.py").write_text(_program(at * size + number), encoding="utf-8")
            plain.append(_in_this_process(source, Path(folder, "plain")))
            limited.append(_in_others(source, Path(folder, "limited")))
    ratio = statistics.median(other / own for own, other in zip(plain, limited, strict=True))
    return Report(
        f"Reading {size} submissions of 400 lines: {1000 * min(plain) / size:.1f} ms of CPU time each in this process, "
        f"{1000 * min(limited) / size:.1f} ms each in limited ones with their start, a ratio of {ratio:.2f}"
    )


def _in_this_process(source: Path, staging: Path) -> float:
    start = _cpu_seconds()
    for submission in collect(source, staging, PlainReader()):
        inspect_code(submission.folder, RULES, submission.id)
    return _cpu_seconds() - start


def _in_others(source: Path, staging: Path) -> float:
    start = _cpu_seconds()
    with ClassReading(source, staging, RULES) as reading:
        reading.submissions()
    return _cpu_seconds() - start


def _cpu_seconds() -> float:
    """Of this process and of all that it has waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _program(number: int) -> str:
    choose = random.Random(number)
    parts = ["from player import Player\n"]
    for function in range(FUNCTIONS):
        lines = "".join(f"    x{line} = a[{choose.randrange(99)}] + b.c(x, {line}) * 2\n" for line in range(8))
        parts.append(f"def helper_{function}(a, b, x):\n{lines}    return x0\n")
    parts.append(
        "class SmartPlayer(Player):\n    def play(self, board):\n        return board.get_possible_moves()[0]\n"
    )
    return f"# {number} {choose.random()}\n" + "\n".join(parts)
