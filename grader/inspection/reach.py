"""Which functions of a submission a move can reach, judging by the names that they mention.

Whatever runs on import counts, then the constructor and `play` of the player, and from there every function, class and method
whose name is mentioned. This reaches too much rather than too little: names are not resolved, except that a method of a base
class that a class overrides is reached only through `super()`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.inspection.entry import Entry
from grader.inspection.import_graph import DefinedClass, ImportGraph
from grader.source.facts import Source

_STARTS = ("__init__", "play", "learn_from_game")
"""The methods that the grader itself calls."""
_MOST_ROUNDS, _MOST_CLASSES = 100, 200
"""The longest chain of calls that is followed, and the most classes; after that, everything counts as reached."""

_Place = tuple[Path, str]
"""A file, and the name of a function or class in it."""


class Reach:
    """The code in these files that the player's moves can reach; all of it if there is no entry."""

    def __init__(self, graph: ImportGraph, sources: Sequence[Source], entry: Entry | None) -> None:
        self._graph = graph
        self._scopes = {(source.file, scope.name): scope for source in sources for scope in source.scopes}
        self._by_line = {source.file: sorted(source.scopes, key=lambda scope: scope.first) for source in sources}
        self._classes = {
            (source.file, shape.name): DefinedClass(source, shape) for source in sources for shape in source.classes
        }
        self._lineages: dict[_Place, list[_Place]] = {}
        self._reached = set(self._scopes) if entry is None else self._find_reached((entry.file, entry.name))
        own = {source.file: {(source.file, scope.name) for scope in source.scopes} for source in sources}
        self._used_names = {file: self._mentions_in(places & self._reached) for file, places in own.items()}
        self._idle_names = {file: self._mentions_in(own[file]) - used for file, used in self._used_names.items()}

    def covers(self, source: Source, line: int) -> bool:
        """Whether a move can reach this line of a file."""
        scopes = self._by_line[source.file]
        scope = scopes[bisect_right(scopes, line, key=lambda scope: scope.first) - 1]
        return line > scope.last or (source.file, scope.name) in self._reached

    def is_idle(self, source: Source, name: str) -> bool:
        """Whether a file mentions a name, but only in code that no move can reach."""
        return name in self._idle_names[source.file]

    def uses_constant(self, source: Source, name: str, others: Iterable[Path]) -> bool:
        """Whether code that a move can reach mentions a constant of a file; `others` have their own one of that name."""
        files = {source.file, *self._by_line} - {file for file in others if file != source.file}
        return any(name in self._used_names[file] for file in files)

    def _mentions_in(self, places: Iterable[_Place]) -> frozenset[str]:
        return frozenset[str]().union(*(self._scopes[place].mentions for place in places))

    def _find_reached(self, entry: _Place) -> set[_Place]:
        """Start with what always runs, and add what it mentions until there is nothing new."""
        starts = {entry, *(self._definition(entry, method) for method in _STARTS)}
        reached, names = set[_Place](), set[str]()
        created, callable_ = set[_Place](), set[_Place]()
        fresh = {place for place in self._scopes if not place[1] or place in starts}
        for _ in range(_MOST_ROUNDS):
            reached |= fresh
            had_super = "super" in names
            names |= self._mentions_in(fresh)
            added = {place for place in self._classes if place == entry or _last(place) in names} - created
            created |= added
            if len(created) > _MOST_CLASSES:
                break
            for cls in added if had_super == ("super" in names) else created:
                callable_ |= self._methods_of(cls, with_overridden="super" in names)
            fresh = {place for place in self._scopes if self._is_called(place, names, callable_)} - reached
            if not fresh:
                return reached
        return set(self._scopes)

    def _methods_of(self, cls: _Place, *, with_overridden: bool) -> set[_Place]:
        """The methods of objects of a class, its own and those of its base classes."""
        found: set[_Place] = set()
        seen: set[str] = set()
        for base in self._lineage(cls):
            methods = set(self._classes[base].shape.methods)
            found |= {(base[0], f"{base[1]}.{method}") for method in methods - seen}
            seen |= set() if with_overridden else methods
        return found

    def _is_called(self, place: _Place, names: set[str], callable_: set[_Place]) -> bool:
        name = _last(place)
        if name not in names and not (name.startswith("__") and name.endswith("__")):
            return False
        outer = (place[0], place[1].rpartition(".")[0])
        return outer not in self._classes or place in callable_

    def _definition(self, cls: _Place, method: str) -> _Place | None:
        """Where the method of a class is defined: by the class itself, or by the nearest base class that does."""
        places = ((base[0], f"{base[1]}.{method}") for base in self._lineage(cls))
        return next((place for place in places if place in self._scopes), None)

    def _lineage(self, cls: _Place) -> list[_Place]:
        """A class and its base classes, nearest first."""
        if cls not in self._lineages and cls in self._classes:
            ancestry = self._graph.ancestry(self._classes[cls])
            places = [(one.source.file, one.shape.name) for one in ancestry]
            self._lineages[cls] = [place for place in places if place in self._classes]
        return self._lineages.get(cls, [])


def _last(place: _Place) -> str:
    return place[1].rpartition(".")[2]
