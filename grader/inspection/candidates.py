"""The classes and functions in a submission that could be its player, best first.

The rule is written down in `docs/how-it-works/finding-the-player.md`.
"""

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from grader.inspection.import_graph import DefinedClass, ImportGraph
from grader.inspection.ranking import PLAYER, SOLUTION, TEST, Clues, Rank
from grader.intake.files import printable_path
from grader.intake.handouts import PLAYER as BASE_CLASS
from grader.intake.handouts import handout_classes
from grader.language import Message, say
from grader.records import RankedCandidate
from grader.source.facts import Source

_NAMED = say("named by the assignment")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A class, or a function outside any class, that could be the player."""

    source: Source
    """The file that is loaded; it may import the class from another file."""
    name: str
    kind: str
    """`class` or `function`."""
    line: int
    rank: Rank
    origin: tuple[Source, str] | None = None
    """The file that defines it, and its name there."""
    is_copy: bool = False
    """A better candidate has the same code."""
    why: Message = _NAMED
    """Why it has its rank."""

    def __str__(self) -> str:
        return f"{printable_path(self.source.file)}:{self.name}"

    def as_record(self) -> RankedCandidate:
        """What the instructor sees of it."""
        return RankedCandidate(entry=str(self), why=self.why)


def find_candidates(graph: ImportGraph, clues: Clues) -> list[Candidate]:
    """All candidates, best first."""
    playing = _playing_classes(graph, clues)
    exported = dict(_exported_names(graph, playing))
    found = {}
    for cls in playing:
        source, name = exported.get(_class_key(cls), (cls.source, cls.shape.name))
        line = cls.shape.line if source is cls.source else 1
        rank = clues.class_rank(source, name, cls, graph)
        found[source.file, name] = Candidate(source, name, "class", line, rank, (cls.source, cls.shape.name))
    for source in graph.sources:
        if source.play_function is not None:
            rank = clues.function_rank(source)
            found[source.file, "play"] = Candidate(source, "play", "function", source.play_function, rank, (source, ""))
    ordered = sorted(found.values(), key=lambda candidate: (candidate.rank, candidate.source.file, candidate.line))
    return _explain(ordered, graph, clues)


def _explain(candidates: list[Candidate], graph: ImportGraph, clues: Clues) -> list[Candidate]:
    """The same candidates, each with the reasons for its rank, or marked as a copy of a better one."""
    imported = _imported_code([candidate.origin[0] for candidate in candidates if candidate.origin], graph)
    first: dict[Hashable, Candidate] = {}
    explained = []
    for candidate in candidates:
        assert candidate.origin is not None
        source, name = candidate.origin
        original = first.setdefault((source.code, name, imported.get(source.file)), candidate)
        why = clues.reasons(candidate.source.file, candidate.rank)
        if original is not candidate:
            why = say("a copy of {original}, apart from imports, comments or formatting", original=str(original))
        explained.append(replace(candidate, is_copy=original is not candidate, why=why))
    return explained


def _imported_code(sources: Iterable[Source], graph: ImportGraph) -> dict[Path, Hashable]:
    """What each file imports from the submission, for files that seem to be copies: copies import the same code."""
    by_file = {source.file: source for source in sources}
    counts = Counter(source.code for source in by_file.values())
    return {file: graph.imported_code(source) for file, source in by_file.items() if counts[source.code] > 1}


def _playing_classes(graph: ImportGraph, clues: Clues) -> list[DefinedClass]:
    """The classes that can play, except those from which others derive."""
    bases = _base_keys(graph, clues)
    return [
        cls
        for cls in top_level_classes(graph)
        if (cls.shape.name == "SmartPlayer" or _class_key(cls) not in bases) and can_play(cls, graph)
    ]


def top_level_classes(graph: ImportGraph) -> list[DefinedClass]:
    """All classes that are not nested in another."""
    return [
        DefinedClass(source, shape) for source in graph.sources for shape in source.classes if "." not in shape.name
    ]


def _base_keys(graph: ImportGraph, clues: Clues) -> set[tuple[Path, str]]:
    """The classes from which others derive, except in tests."""
    derived = [cls for cls in top_level_classes(graph) if clues.file_rank(cls.source.file).standing != TEST]
    return {_class_key(base) for cls in derived for base in graph.bases(cls)}


def _class_key(cls: DefinedClass) -> tuple[Path, str]:
    """The file and the name of a class."""
    return cls.source.file, cls.shape.name


def can_play(cls: DefinedClass, graph: ImportGraph) -> bool:
    """Whether a class has a `play` that does something with a board, its own or inherited."""
    if cls.shape.name != BASE_CLASS and cls.shape.name in handout_classes():  # the course's board, not a player
        return False
    for member in graph.ancestry(cls):
        if any(base.rpartition(".")[2] == "Game" for base in member.shape.bases):  # the rules of a game, not a player
            return False
        if member.shape.play_line is not None:
            return member.shape.takes_board and not member.shape.empty_play
    return False


def _exported_names(
    graph: ImportGraph, playing: list[DefinedClass]
) -> list[tuple[tuple[Path, str], tuple[Source, str]]]:
    """Classes that `solution.py` or `player.py` renames or imports, and the file and name under which they are loaded."""
    names = []
    for source in graph.sources:
        if Clues(Path()).file_rank(source.file).file not in (SOLUTION, PLAYER):
            continue
        own = [cls for cls in playing if cls.source is source]
        imported = [item.alias for item in source.imports] if not own else []
        for name in (*source.aliases, *imported):
            cls = graph.find_class(name, source)
            if cls in playing and cls is not None and (cls.source is not source or name == "SmartPlayer"):
                names.append((_class_key(cls), (source, name)))
    return names
