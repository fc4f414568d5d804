"""Find the player in one submission's folder or file, by a published rule.

1. An entry that the assignment names wins: `solution.py`, `src/solution.py`, `solution.py:SmartPlayer`. The path may leave
   out the folder that holds the whole submission; of several such files the shallowest counts.
2. Else a candidate is a class with a `play` that takes a board, its own or inherited from another class of the submission;
   or a function `play(game, player)` outside any class. A class from which others derive (tests
   aside) is none, unless it is called `SmartPlayer`; nor is one whose `play` is abstract, does nothing or only raises.
3. Candidates in `solution.py` come first, then those in `player.py`, then in any other file; then, outside `solution.py`,
   classes called Random…, Human… or Dummy… and those that call `input`; last those in tests. A class that `solution.py`
   or `player.py` imports, with none of its own, counts as its own.
4. Then a class called `SmartPlayer`; then one with "Player" or "Jugador" in its name or in that of a base; then any other
   class; then Random…, Human… and Dummy…; last a function.
5. Then the file in the shallowest folder.

What was chosen, and what else was there, is said in a finding wherever there was a choice. Where two are equally good and
not copies of one file, nobody is chosen, and a finding lists them. If a `solution.py` or `player.py` that would have
come first cannot be read, nobody plays in its place; nor in that of a SmartPlayer, or of a class derived from Player in the
same file, that has no `play`. A `play` that takes a move, a cell or a row is that of a board or a search, not a player's.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.inspection.candidates import (
    TEST,
    Candidate,
    choose,
    choose_named,
    file_rank,
    find_candidates,
    no_player_finding,
)
from grader.inspection.import_graph import ImportGraph, submodule
from grader.inspection.requirements import missing_packages
from grader.inspection.submission_code import SubmissionCode, read_code
from grader.intake.files import printable_path
from grader.intake.handed_out import course_files, handed_out_classes, player_codes
from grader.language import say
from grader.records import Finding
from grader.source.facts import ClassShape, Import, Source, Unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Where a submission's player is, and what its process needs to know to build it."""

    root: Path
    file: Path
    """Relative to the root."""
    name: str
    kind: str
    """`class`, or `function` for one outside any class."""
    module: str
    """The name under which the file is imported."""
    course_modules: tuple[str, ...] = ()
    """Modules from which the submission takes the course's classes, under whatever name."""
    stubs: tuple[tuple[Path, str], ...] = ()
    """Files of its own, and in each a class of the course with nothing in it."""
    under_own_name: bool = False
    """It imports its own files by the name of its folder, as if from the folder above."""
    readable: tuple[Path, ...] = ()
    """What its process may read; the root, if nothing is said. Of a single file that was given: it and what it imports."""
    paths: tuple[Path, ...] = ()
    """Where its process looks for modules; in the file's folder and those above, up to the root, if nothing is said."""
    game: str | None = None
    """The game that it is written for, as far as its text tells."""

    def as_order(self) -> dict[str, Any]:
        """What the player's process is told."""
        full = self.root / self.file
        above = [folder for folder in full.parents if folder == self.root or self.root in folder.parents]
        return {
            "root": str(self.root),
            "file": str(full),
            "paths": [str(folder) for folder in self.paths or above],
            "name": self.name,
            "kind": self.kind,
            "module": self.module,
            "course_modules": list(self.course_modules),
            "stubs": [[str(self.root / file), name] for file, name in self.stubs],
            "package": self.root.name if self.under_own_name else None,
            "readable": [str(path) for path in self.readable or (self.root,)],
        }


def find_entry(path: Path, wanted: str | None = None) -> tuple[Entry | None, tuple[Finding, ...]]:
    """The player in a submission's folder or file, as `choose_entry` finds it."""
    return choose_entry(read_code(path), wanted)


def choose_entry(code: SubmissionCode, wanted: str | None = None) -> tuple[Entry | None, tuple[Finding, ...]]:
    """The player in a submission's code, if there is one to choose, and what there is to say about it.

    If there is none, the first finding says why. `wanted` is what the assignment names, if it names any.
    """
    candidates = find_candidates(code.graph)
    if code.file is not None:  # only what this file shows can be meant, whatever it is called
        candidates = [candidate for candidate in candidates if candidate.source.file == code.file]
        wanted = ":".join([code.file.name, *wanted.split(":")[1:]]) if wanted is not None else None
    if wanted is not None:
        chosen, said = choose_named(wanted, code.graph, candidates, code.unreadable)
    else:
        chosen, said = choose(candidates, code.unreadable, code.graph)
    broken = {bad.file: _syntax_error_finding(bad) for bad in code.unreadable}
    rest = (*broken.values(), *code.files.findings, *missing_packages(code.root, code.files.others))
    if chosen is None:
        why = said or [finding for file, finding in broken.items() if file_rank(file) != TEST]
        return None, tuple(dict.fromkeys([*(why or [no_player_finding(code.graph, code.files)]), *rest]))
    return _build_entry(code, chosen), (*said, *rest)


def _syntax_error_finding(bad: Unreadable) -> Finding:
    file = printable_path(bad.file)
    text = say("{file} is no Python that can be read: {reason}.", file=file, reason=bad.reason)
    return Finding(code="syntax_error", file=file, line=bad.line, text=text, help=bad.help)


def _build_entry(code: SubmissionCode, chosen: Candidate) -> Entry:
    root, graph = code.root, code.graph
    used = graph.reachable_files(chosen.source)
    taken = [(taken, source) for source in used for taken in source.imports]
    asked = {
        name
        for one, source in taken
        if not graph.has_module(one, source)
        for module in _course_modules(one)
        for name in _module_names(module, one.level, root, source)
    }
    return Entry(
        root=root,
        file=chosen.source.file,
        name=chosen.name,
        kind=chosen.kind,
        module=_module_name(root, chosen.source),
        course_modules=tuple(sorted(asked)),
        stubs=tuple((source.file, shape.name) for source in used for shape in source.classes if _is_stub(shape)),
        under_own_name=any(_is_of_root(one, root, graph) for one, _ in taken if one.level == 0),
        readable=() if code.file is None else tuple(root / file for file in code.files.python),
        game=_game(chosen, used),
    )


def _course_modules(taken: Import) -> Iterator[str]:
    """The module that an import means, if it is one that the course is to provide."""
    if taken.name in (*handed_out_classes(), "*"):
        yield taken.module
        return
    whole = submodule(taken).module  # `import src.board`, `from src import board`
    if ("." in whole or taken.level) and whole.rpartition(".")[2] in course_files():
        yield whole


def _module_names(module: str, level: int, root: Path, source: Source) -> Iterator[str]:
    """The full names that a module may be asked for by: where dots stand before it, those of the folders around the file."""
    if level == 0:
        yield module
        return
    folders = [*_folders(root, source), module]
    folders[len(folders) - level : -1] = []  # one dot is the file's own folder
    yield from (".".join(folders[at:]) for at in range(len(folders)))


def _is_of_root(taken: Import, root: Path, graph: ImportGraph) -> bool:
    """`from Ejemplo.board import …` in the submission's own folder `Ejemplo`."""
    name, _, rest = taken.module.partition(".")
    return name == root.name and rest != "" and graph.has_top_level(rest) and not graph.has_top_level(name)


def _module_name(root: Path, source: Source) -> str:
    """The name of the module: dotted where the file imports relatively, because that needs a package around it."""
    is_package = source.file.name == "__init__.py"
    folders = _folders(root, source)
    names = folders if is_package else [*folders, source.file.stem.replace(".", "_")]
    level = max((taken.level for taken in source.imports), default=0)
    # As many of the folders as lie below the submission's own, and that one too if the dots lead up to it.
    needed = max(len(source.file.parts) - is_package, level + (not is_package), 1) if level else 1
    module = ".".join(names[-needed:])
    return f"{module}_" if module in sys.stdlib_module_names else module


def _folders(root: Path, source: Source) -> list[str]:
    """The folders around a file, from the submission's own on, as parts of the name of a module."""
    return [folder.replace(".", "_") for folder in (root.name, *source.file.parent.parts)]


def _is_stub(shape: ClassShape) -> bool:
    """A copy of a class of the course that was left without its workings, and to which nothing was added."""
    handed_out = handed_out_classes().get(shape.name)
    if handed_out is None or shape.bases or sum(required for _, required in shape.parameters) > 1:
        return False
    return handed_out.is_stub(shape.methods, shape.stubs)


def _game(chosen: Candidate, used: list[Source]) -> str | None:
    """By the class of the course that it takes or has; else by what it uses of its board; else by how it calls that."""
    if chosen.kind == "function":
        return next((game for game, code in player_codes().items() if code.functions), None)
    names = {taken.name for source in used for taken in source.imports}
    names |= {shape.name for source in used for shape in source.classes}
    members = set[str]().union(*(source.members for source in used))
    takes = {name.lower() for shape in chosen.source.classes if shape.name == chosen.name for name in shape.play_takes}
    for fitting in (
        {game for game, code in player_codes().items() if names & {handed_out.name for handed_out in code.classes}},
        {game for game, code in player_codes().items() if members & code.members},
        {game for game, code in player_codes().items() if takes & code.parameters},
    ):
        if len(fitting) == 1:
            return fitting.pop()
    return None
