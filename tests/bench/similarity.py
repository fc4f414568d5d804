"""The cost of comparing a class and how it scales, how much of a copy is found, and how much unrelated code shares."""

import logging
import random
import sysconfig
import tempfile
import time
from itertools import combinations
from pathlib import Path

from tabulate import tabulate

from grader.reading.tasks import DocumentReading
from grader.similarity import MIN_SHARED, compare
from grader.similarity.documents import course_document, handout_document, reference_documents
from grader.similarity.fingerprints import Gram
from tests.bench.figures import Effort, Report
from tests.similarity.disguises import DISGUISES

log = logging.getLogger(__name__)
SIZES = {Effort.FULL: (50, 100, 200, 500), Effort.QUICK: (10,)}
ROOT = Path(__file__).parents[2]
LENGTH = 400
"""Lines per submission; real ones have 100 to 900."""


COPIED = (
    *("submissions/hex_shortest_path/solution.py", "submissions/desconecta4_minimax/solution.py"),
    *("reference_players/coolcow.py", "reference_players/mcts.py"),
)
UNRELATED = 60
"""The number of modules of the standard library that are compared with each other."""


def report(effort: Effort) -> Report:
    """All three parts."""
    return Report("\n\n".join([costs(SIZES[effort]), overlap_of_copies(), overlap_of_unrelated()]))


def costs(sizes: tuple[int, ...]) -> str:
    """CPU seconds for classes of several sizes, in which one in ten submissions has copied half of another one."""
    pool = _functions()
    rows = []
    for size in sizes:
        log.info("a class of %d", size)
        began = time.process_time()
        symbols, pairs = compare_class(size, pool)
        seconds = time.process_time() - began
        rows.append([size, symbols, seconds, 1000 * seconds / size, pairs])
    headers = ["submissions", "symbols", "CPU s", "ms per submission", "pairs"]
    return "Comparing a class\n\n" + tabulate(rows, headers, tablefmt="pipe", floatfmt=".1f")


def overlap_of_copies() -> str:
    """How much of a program is found in its copy, for each disguise."""
    rows = []
    for file in COPIED:
        source = (ROOT / file).read_text(encoding="utf-8")
        own = _grams(source)
        rows.append([file, *(f"{len(own & _grams(disguise(source))) / len(own):.0%}" for disguise in DISGUISES)])
    return "Overlap found between a program and its copy\n\n" + tabulate(
        rows, ["", *(disguise.__name__ for disguise in DISGUISES)], tablefmt="pipe"
    )


def overlap_of_unrelated() -> str:
    """How much modules of the standard library share with each other, if they are long enough to be compared."""
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("[a-z]*.py"))[:UNRELATED]
    modules = [grams for file in files if len(grams := _grams(file.read_text(encoding="utf-8"))) >= MIN_SHARED]
    shares = sorted(len(first & second) / min(len(first), len(second)) for first, second in combinations(modules, 2))
    mean, high = sum(shares) / len(shares), shares[len(shares) * 99 // 100]
    return f"{len(modules)} modules of the standard library share {mean:.1%} on average, 99 of 100 pairs at most {high:.1%}"


def _grams(source: str) -> set[Gram]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "solution.py")
        file.write_text(source, encoding="utf-8")
        return set(handout_document(file).grams.values())


def compare_class(size: int, pool: list[str]) -> tuple[int, int]:
    """Compare a class. Returns the number of symbols, and the number of pairs found."""
    choose = random.Random(size)
    with tempfile.TemporaryDirectory() as folder:
        texts: list[str] = []
        for number in range(size):
            copied = choose.choice(texts)[: LENGTH * 16] if texts and number % 10 == 0 else ""
            texts.append(copied + _program(choose, pool))
            own = Path(folder, "class", f"s{number:03}")
            own.mkdir(parents=True)
            (own / "solution.py").write_text(texts[-1], encoding="utf-8")
        with DocumentReading(Path(folder, "class"), Path(folder, "staging")) as reading:
            documents = reading.documents()
        found = compare(documents, handout=[course_document()], references=reference_documents())
    return sum(len(document.codes) for document in documents), len(found.pairs) + found.more


def _program(choose: random.Random, pool: list[str]) -> str:
    """A file of functions, some of which others have, too, as real students share what they have read."""
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
