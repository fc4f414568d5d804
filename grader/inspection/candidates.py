"""The classes and functions in a submission that could be its player, best first.

The rule is written down in `grader.inspection.entry`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.inspection.import_graph import DefinedClass, ImportGraph
from grader.intake.files import Files, printable_path
from grader.language import say
from grader.records import Finding
from grader.source.facts import Source, Unreadable

SOLUTION, PLAYER, OTHER, STAND_IN, TEST = range(5)
"""The ranks of files, best first."""
_FILE_RANKS = {"solution.py": SOLUTION, "player.py": PLAYER}
_STAND_INS = ("random", "human", "dummy")
_LISTED = 5
"""How many candidates a message names."""
PUT_IN_SOLUTION = say("Put a class with a method play(self, board) in solution.py, at the top level of the folder.")
EXPORT_NOTEBOOK = say(
    "Save the notebook as a Python file (in Jupyter: File > Save and Export Notebook As > Executable Script)."
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A class, or a function outside any class, that could be the player."""

    source: Source
    """The file that is loaded; it may import the class from another file."""
    name: str
    kind: str
    """`class` or `function`."""
    line: int
    rank: tuple[int, int, int]
    """The ranks of its file and of its class, and the depth of its folder: the lowest plays."""

    def __str__(self) -> str:
        return f"{printable_path(self.source.file)}:{self.name}"


def find_candidates(graph: ImportGraph) -> list[Candidate]:
    """All candidates, best first."""
    classes = [
        DefinedClass(source, shape) for source in graph.sources for shape in source.classes if "." not in shape.name
    ]
    bases = {_key(base) for cls in classes if file_rank(cls.source.file) != TEST for base in graph.bases(cls)}
    playing = [cls for cls in classes if (_is_smart(cls) or _key(cls) not in bases) and _can_play(cls, graph)]
    exported = dict(_exported_names(graph, playing))
    candidates = {}
    for cls in playing:
        source, name = exported.get(_key(cls), (cls.source, cls.shape.name))
        rank = (_class_file_rank(source, cls), _class_rank(name, cls, graph), len(source.file.parts))
        line = cls.shape.line if source is cls.source else 1
        candidates[source.file, name] = Candidate(source, name, "class", line, rank)
    for source in graph.sources:
        if source.play_function is not None:
            rank = (_function_file_rank(source), 4, len(source.file.parts))
            candidates[source.file, "play"] = Candidate(source, "play", "function", source.play_function, rank)
    return sorted(candidates.values(), key=lambda candidate: (candidate.rank, candidate.source.file, candidate.line))


def _key(cls: DefinedClass) -> tuple[Path, str]:
    return cls.source.file, cls.shape.name


def _is_smart(cls: DefinedClass) -> bool:
    """Whether it has the name that courses ask for: then it plays even if other classes derive from it."""
    return cls.shape.name == "SmartPlayer"


def _can_play(cls: DefinedClass, graph: ImportGraph) -> bool:
    """Whether a class has a `play` that does something with a board, its own or inherited."""
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
        if file_rank(source.file) not in (SOLUTION, PLAYER):
            continue
        own = [cls for cls in playing if cls.source is source]
        imported = [item.alias for item in source.imports] if not own else []
        for name in (*source.aliases, *imported):
            cls = graph.find_class(name, source)
            if cls in playing and cls is not None and (cls.source is not source or name == "SmartPlayer"):
                names.append((_key(cls), (source, name)))
    return names


def file_rank(file: Path) -> int:
    """The rank of a file, judging by its name and folder."""
    name = file.name.lower()
    folders = [part.lower() for part in file.parts[:-1]]
    if name.startswith(("test_", "conftest")) or name.endswith("_test.py") or {"test", "tests"} & set(folders):
        return TEST
    return _FILE_RANKS.get(name, OTHER)


def _class_file_rank(source: Source, cls: DefinedClass) -> int:
    rank = file_rank(source.file)
    return STAND_IN if rank in (PLAYER, OTHER) and _is_stand_in(cls) else rank


def _function_file_rank(source: Source) -> int:
    rank = file_rank(source.file)
    return STAND_IN if rank == OTHER and source.file.name.lower().startswith(_STAND_INS) else rank


def _is_stand_in(cls: DefinedClass) -> bool:
    return cls.shape.calls_input or cls.shape.name.lower().startswith(_STAND_INS)


def _class_rank(name: str, cls: DefinedClass, graph: ImportGraph) -> int:
    if name == "SmartPlayer":
        return 0
    if _is_stand_in(cls):
        return 3
    names = [name, *(base for member in graph.ancestry(cls) for base in member.shape.bases)]
    return 1 if any(word in text.lower() for text in names for word in ("player", "jugador")) else 2


def classes_without_play(graph: ImportGraph) -> Iterator[DefinedClass]:
    """Classes that seem meant to be the player (named SmartPlayer or derived from Player) but have no `play`."""
    for source in graph.sources:
        for shape in source.classes:
            is_meant = shape.name == "SmartPlayer" or any(base.rpartition(".")[2] == "Player" for base in shape.bases)
            if shape.play_line is None and is_meant and not _has_play(cls := DefinedClass(source, shape), graph):
                yield cls


def _has_play(cls: DefinedClass, graph: ImportGraph) -> bool:
    """Whether a class inherits a `play`, or is the base of others, one of which may be the player."""
    if any(member.shape.play_line is not None and not member.shape.empty_play for member in graph.ancestry(cls)):
        return True
    return cls.shape.name in graph.base_names


def missing_play_finding(cls: DefinedClass, code: str = "missing_play") -> Finding:
    """The finding about a class that has no `play`."""
    text = say("The class {name} has no play() method.", name=cls.shape.name)
    help_ = say("Add a method play(self, board) that returns a move.")
    return Finding(code=code, file=printable_path(cls.source.file), line=cls.shape.line, text=text, help=help_)


def _intended_player(first: Candidate, graph: ImportGraph) -> DefinedClass | None:
    """A class without `play` that was probably meant to be the player, and would come before the first candidate."""
    for cls in classes_without_play(graph):
        file = cls.source.file
        if cls.shape.name == "SmartPlayer" and (file_rank(file), len(file.parts)) <= (first.rank[0], first.rank[2]):
            return cls
        if cls.source is first.source and first.rank[1] > 1 and not _is_stand_in(cls):
            return cls
    return None


def choose(
    candidates: list[Candidate], unreadable: Sequence[Unreadable], graph: ImportGraph
) -> tuple[Candidate | None, list[Finding]]:
    """The first of the candidates, or None if another is as good; and the findings about the choice."""
    if not candidates or any(_is_before(bad, candidates[0]) for bad in unreadable):
        return None, []
    first = candidates[0]
    if first.name != "SmartPlayer" and (intended := _intended_player(first, graph)) is not None:
        return None, [missing_play_finding(intended, "no_player")]
    equals = [other for other in candidates[1:] if other.rank == first.rank and not _is_copy(other, first)]
    if equals:
        return None, [_several_players_finding([first, *equals])]
    return first, [_chosen_finding(first, candidates[1:])] if len(candidates) > 1 else []


def _is_before(bad: Unreadable, first: Candidate) -> bool:
    """Whether a file that cannot be parsed would have come first: then no other player may be used instead."""
    rank = file_rank(bad.file)
    return rank in (SOLUTION, PLAYER) and (rank, len(bad.file.parts)) < (first.rank[0], first.rank[2])


def _is_copy(candidate: Candidate, other: Candidate) -> bool:
    """Whether two candidates come from copies of the same file."""
    return (candidate.source.digest, candidate.name) == (other.source.digest, other.name)


def _chosen_finding(first: Candidate, others: list[Candidate]) -> Finding:
    text = say("Using {first}; also found {others}.", first=str(first), others=_join_names(others))
    help_ = say("If this is the wrong one, submit only the player that should be graded.")
    return Finding(code="chosen", file=printable_path(first.source.file), line=first.line, text=text, help=help_)


def _several_players_finding(best: list[Candidate]) -> Finding:
    first, names = best[0], {candidate.name for candidate in best}
    text = say("Found several players and cannot tell which one to use: {best}.", best=_join_names(best))
    help_ = say("Rename the class that should play to SmartPlayer.")
    if names == {"SmartPlayer"} or first.kind == "function":
        help_ = say("Submit only one of them.")
    return Finding(
        code="several_players", file=printable_path(first.source.file), line=first.line, text=text, help=help_
    )


def _join_names(candidates: list[Candidate]) -> str:
    listed = ", ".join(str(candidate) for candidate in candidates[:_LISTED])
    more = len(candidates) - _LISTED
    return say("{listed} and {more} more", listed=listed, more=more) if more > 0 else listed


def no_player_finding(graph: ImportGraph, files: Files) -> Finding:
    """Why there is no candidate, as precisely as the files show."""
    for cls in classes_without_play(graph):
        if file_rank(cls.source.file) != TEST and not _is_stand_in(cls):
            return missing_play_finding(cls, "no_player")
    for source in graph.sources:
        for shape in sorted(source.classes, key=lambda shape: shape.name == "Player"):
            provided = shape.name == "Player" and len(graph.sources) > 1  # the course's own file, not theirs
            if shape.play_line is None or file_rank(source.file) == TEST or provided:
                continue
            file = printable_path(source.file)
            if not shape.takes_board:
                text = say("The play() method of {name} has no parameter for the board.", name=shape.name)
                help_ = say("Define it as play(self, board).")
            elif shape.empty_play:
                text = say("The play() method of {name} is not implemented.", name=shape.name)
                help_ = say("Make it choose a move and return it.")
            else:
                continue
            return Finding(code="no_player", file=file, line=shape.play_line, text=text, help=help_)
    return _no_class_finding(files)


def _no_class_finding(files: Files) -> Finding:
    """That no file has a class that could be a player, only perhaps a notebook or an archive."""
    other = next((file for file in files.others if file.suffix in (".ipynb", ".zip", ".rar")), None)
    name = printable_path(other) if other else ""
    help_ = PUT_IN_SOLUTION
    if files.python:
        text = say(
            "No player found: the Python file has no class with a method play(self, board).",
            "No player found: none of the {n} Python files has a class with a method play(self, board).",
            n=len(files.python),
        )
        if other:
            text = say("{text} {file} was not read.", text=text, file=name)
    elif other:
        text = say("No player found: there is no .py file, only {file}.", file=name)
    else:
        text = say("No player found: there is no .py file.")
    if other and other.suffix == ".ipynb":
        help_ = EXPORT_NOTEBOOK
    return Finding(code="no_player", file=name or None, text=text, help=help_)


def choose_named(
    wanted: str, graph: ImportGraph, candidates: list[Candidate], unreadable: Sequence[Unreadable]
) -> tuple[Candidate | None, list[Finding]]:
    """The player that the assignment names: `solution.py`, `src/solution.py` or `solution.py:SmartPlayer`."""
    path, _, name = wanted.partition(":")
    for source in graph.sources:
        own = [candidate for candidate in candidates if candidate.source is source]
        if not _is_path_of(path, source.file):
            continue
        if not name and own:
            return choose(own, [], graph)
        if name and (found := _named_candidate(name, source, graph)) is not None:
            return found, []
    if any(_is_path_of(path, bad.file) for bad in unreadable):
        return None, []  # another finding says what is wrong with it
    text = say("The assignment requires the player {wanted}, which is not in the submission.", wanted=wanted)
    help_ = say("Put the player in {path}.", path=path)
    if name:
        help_ = say("Put the player in {path}, in a class named {name}.", path=path, name=name)
    return None, [Finding(code="no_player", text=text, help=help_)]


def _is_path_of(path: str, file: Path) -> bool:
    """Whether a path means this file: it may omit the folder that contains the whole submission."""
    wanted, parts = ([part.lower() for part in path.parts] for path in (Path(path), file))
    return bool(wanted) and parts[-len(wanted) :] == wanted


def _named_candidate(name: str, source: Source, graph: ImportGraph) -> Candidate | None:
    if name == "play" and source.play_function is not None:
        return Candidate(source, name, "function", source.play_function, (0, 0, 0))
    cls = graph.find_class(name, source)
    is_defined = name in source.aliases or any(item.alias == name for item in source.imports)
    if cls is None and not is_defined:
        return None
    line = cls.shape.line if cls is not None and cls.source is source else 1
    return Candidate(source, name, "class", line, (0, 0, 0))
