"""What it costs to read each submission in a limited process of its own, against reading all in this one."""

import logging
import random
import statistics
import tempfile
import time
from pathlib import Path

from grader.inspection.inspect_code import CodeRules, inspect_code
from grader.intake.collect import collect
from grader.intake.reader import PlainReader
from grader.reading.tasks import ClassReading
from tests.bench.figures import Effort, Report

log = logging.getLogger(__name__)
SIZES = {Effort.FULL: 100, Effort.QUICK: 3}
ROUNDS = {Effort.FULL: 5, Effort.QUICK: 1}
FUNCTIONS = 40
"""The functions in each submission, which has about 400 lines."""
RULES = (CodeRules(game="hex"),)


def report(effort: Effort) -> Report:
    """The time per submission both ways, in interleaved rounds."""
    with tempfile.TemporaryDirectory() as folder:
        source, size = Path(folder, "class"), SIZES[effort]
        for number in range(size):
            own = source / f"s{number:03}"
            own.mkdir(parents=True)
            (own / "solution.py").write_text(_program(number), encoding="utf-8")
        plain, limited = [], []
        for at in range(ROUNDS[effort]):
            log.info("round %d", at + 1)
            plain.append(_in_this_process(source, Path(folder, f"plain{at}")))
            limited.append(_in_others(source, Path(folder, f"limited{at}")))
    ratio = statistics.median(other / own for own, other in zip(plain, limited, strict=True))
    return Report(
        f"Reading {size} submissions of 400 lines: {1000 * min(plain) / size:.1f} ms each in this process, "
        f"{1000 * min(limited) / size:.1f} ms each in limited ones with their start, a ratio of {ratio:.2f}"
    )


def _in_this_process(source: Path, staging: Path) -> float:
    start = time.perf_counter()
    for submission in collect(source, staging, PlainReader()):
        inspect_code(submission.folder, RULES, submission.id)
    return time.perf_counter() - start


def _in_others(source: Path, staging: Path) -> float:
    start = time.perf_counter()
    with ClassReading(source, staging, RULES) as reading:
        reading.submissions()
    return time.perf_counter() - start


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
