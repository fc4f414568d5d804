"""The classes and functions in a submission that could be its player, best first: the rule of `grader.inspection.entry`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.inspection.import_graph import DefinedClass, ImportGraph
from grader.intake.files import Files, printable_path
from grader.language import say
from grader.records import Finding
from grader.source.facts import Source, Unreadable

SOLUTION, PLAYER, OTHER, STAND_IN, TEST = range(5)
"""The ranks of files."""
_NAMED = {"solution.py": SOLUTION, "player.py": PLAYER}
_STAND_INS = ("random", "human", "dummy")
_LISTED = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A class, or a function outside any class, that could be the player."""

    source: Source
    """The file that is loaded; the class may be imported there from another."""
    name: str
    kind: str
    """`class` or `function`."""
    line: int
    rank: tuple[int, int, int]
    """Of its file, of its class, and how deep it lies: the lowest plays."""

    def __str__(self) -> str:
        return f"{printable_path(self.source.file)}:{self.name}"


def find_candidates(graph: ImportGraph) -> list[Candidate]:
    """All that could play, best first."""
    classes = [
        DefinedClass(source, shape) for source in graph.sources for shape in source.classes if "." not in shape.name
    ]
    bases = {_key(base) for cls in classes if file_rank(cls.source.file) != TEST for base in graph.bases(cls)}
    playing = [cls for cls in classes if (_is_smart(cls) or _key(cls) not in bases) and _can_play(cls, graph)]
    exported = dict(_exported_names(graph, playing))
    found = {}
    for cls in playing:
        source, name = exported.get(_key(cls), (cls.source, cls.shape.name))
        rank = (_class_file_rank(source, cls), _class_rank(name, cls, graph), len(source.file.parts))
        line = cls.shape.line if source is cls.source else 1
        found[source.file, name] = Candidate(source, name, "class", line, rank)
    for source in graph.sources:
        if source.play_function is not None:
            rank = (_function_file_rank(source), 4, len(source.file.parts))
            found[source.file, "play"] = Candidate(source, "play", "function", source.play_function, rank)
    return sorted(found.values(), key=lambda candidate: (candidate.rank, candidate.source.file, candidate.line))


def _key(cls: DefinedClass) -> tuple[Path, str]:
    return cls.source.file, cls.shape.name


def _is_smart(cls: DefinedClass) -> bool:
    """Whether it has the name that courses ask for: then it plays, whatever was derived from it."""
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
    """Classes that `solution.py` or `player.py` shows under another name, or takes from a file where they are written."""
    names = []
    for source in graph.sources:
        if file_rank(source.file) not in (SOLUTION, PLAYER):
            continue
        own = [cls for cls in playing if cls.source is source]
        imported = [taken.alias for taken in source.imports] if not own else []
        for name in (*source.aliases, *imported):
            cls = graph.find_class(name, source)
            if cls in playing and cls is not None and (cls.source is not source or name == "SmartPlayer"):
                names.append((_key(cls), (source, name)))
    return names


def file_rank(file: Path) -> int:
    """Where a file stands by its name."""
    name = file.name.lower()
    folders = [part.lower() for part in file.parts[:-1]]
    if name.startswith(("test_", "conftest")) or name.endswith("_test.py") or {"test", "tests"} & set(folders):
        return TEST
    return _NAMED.get(name, OTHER)


def _class_file_rank(source: Source, cls: DefinedClass) -> int:
    rank = file_rank(source.file)
    return STAND_IN if rank in (PLAYER, OTHER) and _is_stand_in(cls) else rank


def _function_file_rank(source: Source) -> int:
    rank = file_rank(source.file)
    return STAND_IN if rank == OTHER and source.file.name.lower().startswith(_STAND_INS) else rank


def _is_stand_in(cls: DefinedClass) -> bool:
    return cls.shape.asks_person or cls.shape.name.lower().startswith(_STAND_INS)


def _class_rank(name: str, cls: DefinedClass, graph: ImportGraph) -> int:
    if name == "SmartPlayer":
        return 0
    if _is_stand_in(cls):
        return 3
    written = [name, *(base for member in graph.ancestry(cls) for base in member.shape.bases)]
    return 1 if any(word in text.lower() for text in written for word in ("player", "jugador")) else 2


def classes_without_play(graph: ImportGraph) -> Iterator[DefinedClass]:
    """Classes that were meant to be the player, and have no `play`: called SmartPlayer, or derived from a Player."""
    for source in graph.sources:
        for shape in source.classes:
            meant = shape.name == "SmartPlayer" or any(base.rpartition(".")[2] == "Player" for base in shape.bases)
            if shape.play_line is None and meant and not _has_play(cls := DefinedClass(source, shape), graph):
                yield cls


def _has_play(cls: DefinedClass, graph: ImportGraph) -> bool:
    """Whether it inherits one, or is itself a base of others, of which one may be the player."""
    if any(member.shape.play_line is not None and not member.shape.empty_play for member in graph.ancestry(cls)):
        return True
    name = cls.shape.name
    return any(
        base.rpartition(".")[2] == name for source in graph.sources for shape in source.classes for base in shape.bases
    )


def missing_play_finding(cls: DefinedClass, code: str = "missing_play") -> Finding:
    """The finding about such a class."""
    text = say("The class {name} has no method called play.", name=cls.shape.name)
    help_ = say("Give it a method play(self, board) that returns a move.")
    return Finding(code=code, file=printable_path(cls.source.file), line=cls.shape.line, text=text, help=help_)


def _intended_player(first: Candidate, graph: ImportGraph) -> DefinedClass | None:
    """The class that was meant to be the player where the first of the candidates is: it would only play in its place."""
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
    """The first of the candidates, unless another is as good; and what there is to say about it."""
    if not candidates or any(_is_before(bad, candidates[0]) for bad in unreadable):
        return None, []
    first = candidates[0]
    if first.name != "SmartPlayer" and (meant := _intended_player(first, graph)) is not None:
        return None, [missing_play_finding(meant, "no_player")]
    equals = [other for other in candidates[1:] if other.rank == first.rank and not _is_copy(other, first)]
    if equals:
        return None, [_several_players_finding([first, *equals])]
    return first, [_chosen_finding(first, candidates[1:])] if len(candidates) > 1 else []


def _is_before(bad: Unreadable, first: Candidate) -> bool:
    """Whether a file that cannot be read would have come first: then nobody else may play in its place."""
    rank = file_rank(bad.file)
    return rank in (SOLUTION, PLAYER) and (rank, len(bad.file.parts)) < (first.rank[0], first.rank[2])


def _is_copy(one: Candidate, two: Candidate) -> bool:
    """Two copies of one file are one player."""
    return (one.source.digest, one.name) == (two.source.digest, two.name)


def _chosen_finding(first: Candidate, others: list[Candidate]) -> Finding:
    name, listed = str(first), _join_names(others)
    text = say("{first} was chosen to play; there were also {others}.", first=name, others=listed)
    if len(others) == 1:
        text = say("{first} was chosen to play; there was also {other}.", first=name, other=listed)
    help_ = say("Submit only one player, or have the assignment name it: entry: {first}.", first=name)
    return Finding(code="chosen", file=printable_path(first.source.file), line=first.line, text=text, help=help_)


def _several_players_finding(best: list[Candidate]) -> Finding:
    first, name = best[0], str(best[0])
    text = say("Nobody can play, because these are equally good to choose: {best}.", best=_join_names(best))
    help_ = say("Call the one that should play SmartPlayer, or have the assignment name it: entry: {best}.", best=name)
    return Finding(
        code="several_players", file=printable_path(first.source.file), line=first.line, text=text, help=help_
    )


def _join_names(candidates: list[Candidate]) -> str:
    listed = ", ".join(str(candidate) for candidate in candidates[:_LISTED])
    more = len(candidates) - _LISTED
    return say("{listed} and {more} more", listed=listed, more=more) if more > 0 else listed


def no_player_finding(graph: ImportGraph, files: Files) -> Finding:
    """Why there is no candidate at all, as precisely as the files tell."""
    for cls in classes_without_play(graph):
        if file_rank(cls.source.file) != TEST and not _is_stand_in(cls):
            return missing_play_finding(cls, "no_player")
    for source in graph.sources:
        for shape in sorted(source.classes, key=lambda shape: shape.name == "Player"):
            provided = shape.name == "Player" and len(graph.sources) > 1  # the course's, beside what is theirs
            if shape.play_line is None or file_rank(source.file) == TEST or provided:
                continue
            file = printable_path(source.file)
            at = f"{file}:{shape.name}"
            if not shape.takes_board:
                text = say("The play of {at} has no parameter for the board.", at=at)
                help_ = say("Write def play(self, board).")
            elif shape.empty_play:
                text = say("The play of {at} was left unimplemented.", at=at)
                help_ = say("Write what it should do, and return a move.")
            else:
                continue
            return Finding(code="no_player", file=file, line=shape.play_line, text=text, help=help_)
    found = say("no Python file at all")
    if len(files.python) == 1:
        found = say("1 Python file without one")
    elif files.python:
        found = say("{count} Python files without one", count=len(files.python))
    notebook = next((file for file in files.others if file.suffix in (".ipynb", ".zip", ".rar")), None)
    if notebook:
        found = say("{found}, but {file}", found=found, file=printable_path(notebook))
    return Finding(
        code="no_player",
        file=printable_path(notebook) if notebook else None,
        text=say("No player was found: expected a class with a method play(self, board), found {found}.", found=found),
        help=say("Put a class with play(self, board) into solution.py at the top of the folder."),
    )


def choose_named(
    wanted: str, graph: ImportGraph, candidates: list[Candidate], unreadable: Sequence[Unreadable]
) -> tuple[Candidate | None, list[Finding]]:
    """The player that an assignment names: `solution.py`, `src/solution.py`, `solution.py:SmartPlayer`."""
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
        return None, []  # a finding says what is wrong with it
    text = say("The assignment asks for {wanted}, and the submission has no such player.", wanted=wanted)
    help_ = say("Put the player into {path}.", path=path)
    if name:
        help_ = say("Put the player into {path}, in a class called {name}.", path=path, name=name)
    return None, [Finding(code="no_player", text=text, help=help_)]


def _is_path_of(path: str, file: Path) -> bool:
    """Whether a path means a file: it may leave out the folder that holds the whole submission."""
    wanted, parts = ([part.lower() for part in path.parts] for path in (Path(path), file))
    return bool(wanted) and parts[-len(wanted) :] == wanted


def _named_candidate(name: str, source: Source, graph: ImportGraph) -> Candidate | None:
    if name == "play" and source.play_function is not None:
        return Candidate(source, name, "function", source.play_function, (0, 0, 0))
    cls = graph.find_class(name, source)
    made = name in source.aliases or any(taken.alias == name for taken in source.imports)
    if cls is None and not made:
        return None
    line = cls.shape.line if cls is not None and cls.source is source else 1
    return Candidate(source, name, "class", line, (0, 0, 0))
