"""What a player leaves to chance, as far as its code tells: if nothing, the same game follows from any seed.

Nothing is imported or run. That there is no chance is said only of code that keeps to plain Python and to modules in which
there is none, no clock and nothing of the machine; that there is some, of code that takes random numbers or asks for a seed.
Of all else nothing is known. Code that hides its chance is not found out here, and gains nothing by it.
"""

import enum

from grader.inspection.entry import Entry
from grader.inspection.import_graph import submodule
from grader.inspection.submission_code import read_code
from grader.intake.handed_out import course_files
from grader.source.facts import Import
from grader.source.randomness import RANDOM_MEMBERS

CERTAIN = frozenset(
    {
        *("__future__", "abc", "array", "bisect", "collections", "collections.abc", "copy", "dataclasses", "decimal"),
        *("enum", "fractions", "functools", "heapq", "itertools", "math", "numbers", "operator", "string", "typing"),
    }
)
"""Modules in which the same always follows from the same."""
_RANDOM = frozenset({"random", "secrets", "uuid", "numpy.random", "scipy.stats"})
"""Modules that are imported for their chance."""


class Chance(enum.Enum):
    """What a player leaves to chance."""

    NONE = "none"
    """It can depend on nothing but the boards that it is shown."""
    UNKNOWN = "unknown"
    SOME = "some"
    """It uses random numbers, though perhaps not in every game."""


def chance(entry: Entry) -> Chance:
    """What the code that an entry reaches leaves to chance."""
    graph = read_code(entry.root).graph
    start = next((source for source in graph.sources if source.file == entry.file), None)
    if start is None:
        return Chance.UNKNOWN
    provided = course_files() | set(entry.course_modules)
    sources = graph.reachable_files(start)
    imports = [(taken, source) for source in sources for taken in source.imports]
    foreign = [taken for taken, source in imports if not graph.has_module(taken, source)]
    if any(_is_random(taken) for taken, _ in imports) or any(source.draws_numbers for source in sources):
        return Chance.SOME
    known = all(taken.level == 0 and (taken.module in CERTAIN or taken.module in provided) for taken in foreign)
    certain = known and entry.kind == "class" and not any(source.may_differ for source in sources)
    return Chance.NONE if certain else Chance.UNKNOWN


def _is_random(taken: Import) -> bool:
    """Also where a file of that name lies beside it: a player gets Python's own `random`."""
    modules = {taken.module, submodule(taken).module}
    return taken.level == 0 and (not modules.isdisjoint(_RANDOM) or taken.name in RANDOM_MEMBERS)
