"""Whether a player can read a clock, judging by its code: one that cannot is not hurt by waiting for a CPU core.

Nothing is imported or run. Code counts as reading a clock unless all that it imports is known not to.
"""

from grader.inspection.chance import DETERMINISTIC
from grader.inspection.entry import Entry
from grader.inspection.import_graph import ImportGraph
from grader.intake.handouts import course_files

WITHOUT_CLOCK = DETERMINISTIC | {
    *("cmath", "contextlib", "hashlib", "inspect", "io", "json", "pickle", "pprint", "queue", "random", "re"),
    *(
        "secrets",
        "statistics",
        "struct",
        "sys",
        "textwrap",
        "traceback",
        "types",
        "typing_extensions",
        "warnings",
        "zlib",
    ),
    *("networkx", "numpy", "scipy", "sortedcontainers"),
}
"""Modules, with all that is in them, that do not tell the time."""
_LOADS_CODE = frozenset({"__import__", "compile", "eval", "exec", "import_module"})


def may_read_clock(entry: Entry, graph: ImportGraph) -> bool:
    """Whether a player may read a clock, judging by the code that its file imports."""
    start = next((source for source in graph.sources if source.file == entry.file), None)
    if start is None:
        return True
    allowed = WITHOUT_CLOCK | course_files() | set(entry.course_modules)
    sources = graph.reachable_files(start)
    external = [item for source in sources for item in source.imports if not graph.has_module(item, source)]
    known = all(
        item.level == 0 and not allowed.isdisjoint({item.module, item.module.partition(".")[0]}) for item in external
    )
    return not known or any(scope.mentions & _LOADS_CODE for source in sources for scope in source.scopes)
