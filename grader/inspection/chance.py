"""Whether a player plays at random, judging by its code: a player that does not plays the same game with every seed.

Nothing is imported or run. `NONE` is reported only for plain Python code that uses nothing but deterministic modules: no
clock, nothing about the machine. `SOME` is reported for code that uses random numbers or takes a seed. Anything else is
`UNKNOWN`. Code that hides its randomness is not detected here, and gains nothing by hiding it.
"""

import enum

from grader.inspection.entry import Entry
from grader.inspection.import_graph import ImportGraph, submodule
from grader.intake.handouts import course_files
from grader.source.facts import Import
from grader.source.randomness import RANDOM_MEMBERS

DETERMINISTIC = frozenset(
    {
        *("__future__", "abc", "array", "bisect", "collections", "collections.abc", "copy", "dataclasses", "decimal"),
        *("enum", "fractions", "functools", "heapq", "itertools", "math", "numbers", "operator", "string", "typing"),
    }
)
"""Modules whose results depend only on their arguments."""
_RANDOM = frozenset({"random", "secrets", "uuid", "numpy.random", "scipy.stats"})
"""Modules that are imported for their random numbers."""


class Chance(enum.Enum):
    """Whether a player plays at random."""

    NONE = "none"
    """Its moves can depend only on the boards that it is given."""
    UNKNOWN = "unknown"
    SOME = "some"
    """It uses random numbers, though perhaps not in every game."""


def chance(entry: Entry, graph: ImportGraph) -> Chance:
    """Whether a player plays at random, judging by the code that its file imports."""
    start = next((source for source in graph.sources if source.file == entry.file), None)
    if start is None:
        return Chance.UNKNOWN
    provided = course_files() | set(entry.course_modules)
    sources = graph.reachable_files(start)
    imports = [(item, source) for source in sources for item in source.imports]
    external = [item for item, source in imports if not graph.has_module(item, source)]
    if any(_is_random(item) for item, _ in imports) or any(source.draws_numbers for source in sources):
        return Chance.SOME
    known = all(item.level == 0 and (item.module in DETERMINISTIC or item.module in provided) for item in external)
    is_certain = known and entry.kind == "class" and not any(source.may_differ for source in sources)
    return Chance.NONE if is_certain else Chance.UNKNOWN


def _is_random(item: Import) -> bool:
    """Whether an import brings random numbers, even if the submission has a file `random.py`: players get Python's own."""
    modules = {item.module, submodule(item).module}
    return item.level == 0 and (not modules.isdisjoint(_RANDOM) or item.name in RANDOM_MEMBERS)
