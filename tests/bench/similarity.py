"""What comparing a class costs, how that grows with it, what is found of a copy, and what of none."""

import logging
import random
import sysconfig
import tempfile
import time
from itertools import combinations
from pathlib import Path

from tabulate import tabulate

from grader.intake.collect import collect
from grader.similarity import MIN_SHARED, compare
from grader.similarity.documents import course_document, handout_document, reference_documents, submission_document
from grader.similarity.fingerprints import Gram
from tests.bench.figures import Effort, Report
from tests.similarity.disguises import DISGUISES

log = logging.getLogger(__name__)
SIZES = {Effort.FULL: (50, 100, 200, 500), Effort.QUICK: (10,)}
ROOT = Path(__file__).parents[2]
LENGTH = 400
"""Lines of a submission: real ones have 100 to 900."""


COPIED = (
    *("submissions/hex_shortest_path/solution.py", "submissions/desconecta4_minimax/solution.py"),
    *("reference_players/coolcow.py", "reference_players/mcts.py"),
)
UNRELATED = 60
"""How many modules of the standard library are compared with each other."""


def report(effort: Effort) -> Report:
    """All three."""
    return Report("\n\n".join([costs(SIZES[effort]), found_of_copies(), found_of_others()]))


def costs(sizes: tuple[int, ...]) -> str:
    """CPU seconds for classes of several sizes, in which one in ten has copied half of another's file."""
    pool = _functions()
    rows = []
    for size in sizes:
        log.info("a class of %d", size)
        began = time.process_time()
        symbols, pairs = measured(size, pool)
        seconds = time.process_time() - began
        rows.append([size, symbols, seconds, 1000 * seconds / size, pairs])
    headers = ["submissions", "symbols", "CPU s", "ms a submission", "pairs"]
    return "Comparing a class\n\n" + tabulate(rows, headers, tablefmt="pipe", floatfmt=".1f")


def found_of_copies() -> str:
    """How much of a program is found again in its copy, for each disguise."""
    rows = []
    for file in COPIED:
        source = (ROOT / file).read_text(encoding="utf-8")
        own = _grams(source)
        rows.append([file, *(f"{len(own & _grams(disguise(source))) / len(own):.0%}" for disguise in DISGUISES)])
    return "What is found of a copy\n\n" + tabulate(
        rows, ["", *(disguise.__name__ for disguise in DISGUISES)], tablefmt="pipe"
    )


def found_of_others() -> str:
    """How much modules of the standard library share with each other, where they are long enough to be compared."""
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("[a-z]*.py"))[:UNRELATED]
    grams = [one for one in (_grams(file.read_text(encoding="utf-8")) for file in files) if len(one) >= MIN_SHARED]
    shares = sorted(len(one & other) / min(len(one), len(other)) for one, other in combinations(grams, 2))
    mean, most = sum(shares) / len(shares), shares[len(shares) * 99 // 100]
    return (
        f"{len(grams)} modules of the standard library share {mean:.1%} on average, 99 of 100 pairs at most {most:.1%}"
    )


def _grams(source: str) -> set[Gram]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "solution.py")
        file.write_text(source, encoding="utf-8")
        return set(handout_document(file).grams.values())


def measured(size: int, pool: list[str]) -> tuple[int, int]:
    """How many symbols were compared, and how many pairs share a third."""
    choose = random.Random(size)
    with tempfile.TemporaryDirectory() as folder:
        texts: list[str] = []
        for number in range(size):
            copied = choose.choice(texts)[: LENGTH * 16] if texts and number % 10 == 0 else ""
            texts.append(copied + _program(choose, pool))
            own = Path(folder, "class", f"s{number:03}")
            own.mkdir(parents=True)
            (own / "solution.py").write_text(texts[-1], encoding="utf-8")
        documents = [submission_document(one) for one in collect(Path(folder, "class"), Path(folder, "staging"))]
        found = compare(documents, handout=[course_document()], references=reference_documents())
    return sum(len(document.codes) for document in documents), len(found.pairs) + found.more


def _program(choose: random.Random, pool: list[str]) -> str:
    """A file of functions that others may have, too, as students share what they have read."""
    chosen: list[str] = []
    while sum(text.count("\n") for text in chosen) < LENGTH:
        chosen.append(choose.choice(pool))
    return "\n\n".join(chosen)


def _functions() -> list[str]:
    """Every function of the grader and its tests."""
    found = []
    for file in sorted(
        [*ROOT.glob("grader/**/*.py"), *ROOT.glob("tests/**/*.py"), *ROOT.glob("reference_players/**/*.py")]
    ):
        found += ["def " + part for part in file.read_text(encoding="utf-8").split("\ndef ")[1:]]
    return found
