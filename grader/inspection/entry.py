"""Find the player in a submission's folder or file, by the rule published in `docs/how-it-works/finding-the-player.md`.

The candidates (`candidates`) are ordered (`ranking`), and the first plays, unless an entry is named (`solution.py`,
`src/solution.py`, `solution.py:SmartPlayer`), another is as good, or the student's own work is unfinished (`choice`, `no_player`).
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from grader.inspection.candidates import Candidate, find_candidates
from grader.inspection.choice import NEED_DECISION, Chosen, Contenders, choose, choose_asked, choose_named
from grader.inspection.import_graph import ImportGraph, submodule
from grader.inspection.no_player import no_player_finding, unfinished_classes, unreadable_finding
from grader.inspection.ranking import OWN, TEST, Clues
from grader.inspection.requirements import missing_packages
from grader.inspection.submission_code import SubmissionCode, read_code
from grader.intake.handouts import course_files, handout_classes, player_codes
from grader.records import Finding, RankedCandidate
from grader.source.facts import ClassShape, Import, Source
from grader.source.notebook import cell_file

MAX_CANDIDATES = 30
"""How many candidates of a submission are recorded, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Where a submission's player is, and what its process needs to load it."""

    root: Path
    file: Path
    """Relative to the root."""
    name: str
    kind: str
    """`class` or `function`."""
    module: str
    """The name under which the file is imported."""
    course_modules: tuple[str, ...] = ()
    """The modules from which the submission imports the course's classes, under any name."""
    stubs: tuple[tuple[Path, str], ...] = ()
    """Classes of the course that the submission has copied without their code, each with its file."""
    under_own_name: bool = False
    """It imports its own files by the name of its folder, as if from the folder above."""
    readable: tuple[Path, ...] = ()
    """What its process may read; the root if empty. For a single file: that file and the files it imports."""
    paths: tuple[Path, ...] = ()
    """Where its process looks for modules; if empty, in the file's folder and those above it, up to the root."""
    game: str | None = None
    """The game that it is written for, if its code shows that."""
    may_read_clock: bool = True
    """Whether its moves may depend on how fast it is."""
    preload: tuple[str, ...] = ()
    """Installed modules that it imports and that can be loaded before it."""
    cells: tuple[tuple[int, str], ...] = ()
    """If the file is a notebook: the number and the code of each cell, which run instead of the file."""

    def as_order(self) -> dict[str, Any]:
        """The entry as it is sent to the player's process."""
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
            "cells": [[cell_file(str(full), number), text] for number, text in self.cells],
            "preload": list(self.preload),
            "readable": [str(path) for path in self.readable or (self.root,)],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The player that was chosen, or the reason why there is none."""

    entry: Entry | None
    findings: tuple[Finding, ...]
    """If there is no entry, the first says why."""
    candidates: tuple[RankedCandidate, ...] = ()
    """The candidates, best first."""
    ranked_code: frozenset[str] = frozenset()
    """The digests of the code that it was chosen from: the choice may differ if one of them was handed out."""
    is_own: bool = False
    """Whether the player is certainly the student's own work."""

    @property
    def is_undecided(self) -> bool:
        """Whether the instructor has to decide which class plays."""
        return self.entry is None and any(finding.code in NEED_DECISION for finding in self.findings)


def find_entry(path: Path, wanted: str | None = None) -> tuple[Entry | None, tuple[Finding, ...]]:
    """The player in a submission's folder or file, as `choose_entry` finds it."""
    return choose_entry(read_code(path), wanted)


def choose_entry(code: SubmissionCode, wanted: str | None = None) -> tuple[Entry | None, tuple[Finding, ...]]:
    """The player in a submission's code, or None, and the findings about it, as `choose_player` finds them."""
    choice = choose_player(code, wanted)
    return choice.entry, choice.findings


def choose_player(code: SubmissionCode, wanted: str | None = None, handed_out: frozenset[str] = frozenset()) -> Choice:
    """The player in a submission's code: the one that is `wanted`, or the one that comes first by the rule.

    `handed_out` are the digests of the code that many submissions of the class share.
    """
    return _choose(code, handed_out, choose if wanted is None else partial(choose_named, _in_file(wanted, code)))


def choose_asked_player(code: SubmissionCode, asked: str, handed_out: frozenset[str] = frozenset()) -> Choice:
    """The player that an assignment asks all submissions for or, if a submission has none there, the first by the rule."""
    return _choose(code, handed_out, partial(choose_asked, _in_file(asked, code)))


def _in_file(wanted: str, code: SubmissionCode) -> str:
    """The same class in the single file that was given: only that can be meant, whatever the file is called."""
    return ":".join([code.file.name, *wanted.split(":")[1:]]) if code.file is not None else wanted


def _choose(code: SubmissionCode, handed_out: frozenset[str], rule: Callable[[Contenders], Chosen]) -> Choice:
    clues = Clues.of(code, handed_out)
    candidates = find_candidates(code.graph, clues)
    if code.file is not None:
        candidates = [candidate for candidate in candidates if candidate.source.file == code.file]
    chosen, findings = rule(Contenders(candidates, code.unreadable, code.graph, clues))
    unreadable = [(bad.file, unreadable_finding(bad)) for bad in code.unreadable]
    rest = (
        *(finding for _, finding in unreadable),
        *code.files.findings,
        *missing_packages(code.root, code.files.others),
    )
    if chosen is None:
        reasons = findings or [finding for file, finding in unreadable if clues.file_rank(file).standing != TEST]
        reasons = reasons or [no_player_finding(code.graph, code.files, clues)]
        findings = [*dict.fromkeys([*reasons, *rest])]
    else:
        findings = [*findings, *rest]
    ranked = {candidate.origin[0].code for candidate in candidates if candidate.origin is not None}
    return Choice(
        entry=_build_entry(code, chosen) if chosen is not None else None,
        findings=tuple(findings),
        candidates=tuple(candidate.as_record() for candidate in candidates[:MAX_CANDIDATES]),
        is_own=chosen is not None and chosen.rank.standing == OWN,
        ranked_code=frozenset(ranked | {cls.source.code for cls in unfinished_classes(code.graph)}),
    )


def _build_entry(code: SubmissionCode, chosen: Candidate) -> Entry:
    root, graph, notebook = code.root, code.graph, chosen.source.notebook
    used = graph.reachable_files(chosen.source)
    imports = [(item, source) for source in used for item in source.imports]
    course_modules = {
        name
        for item, source in imports
        if not graph.has_module(item, source)
        for module in _course_modules(item)
        for name in _module_names(module, item.level, root, source)
    }
    return Entry(
        root=root,
        file=chosen.source.file,
        name=chosen.name,
        kind=chosen.kind,
        module=_module_name(root, chosen.source),
        course_modules=tuple(sorted(course_modules)),
        stubs=tuple((source.file, shape.name) for source in used for shape in source.classes if _is_stub(shape)),
        under_own_name=any(_is_of_root(item, root, graph) for item, _ in imports if item.level == 0),
        readable=() if code.file is None else tuple(root / file for file in code.files.python),
        game=_game(chosen, used),
        cells=tuple((cell.number, cell.text) for cell in notebook.cells) if notebook is not None else (),
    )


def _course_modules(item: Import) -> Iterator[str]:
    """The module that an import means, if the course has to provide it."""
    if item.name in (*handout_classes(), "*"):
        yield item.module
        return
    module = submodule(item).module  # `import src.board`, `from src import board`
    if ("." in module or item.level) and module.rpartition(".")[2] in course_files():
        yield module


def _module_names(module: str, level: int, root: Path, source: Source) -> Iterator[str]:
    """The full names that a module may be imported by: for a relative import, those of the folders around the file."""
    if level == 0:
        yield module
        return
    folders = [*_folders(root, source), module]
    folders[len(folders) - level : -1] = []  # one dot is the file's own folder
    yield from (".".join(folders[start:]) for start in range(len(folders)))


def _is_of_root(item: Import, root: Path, graph: ImportGraph) -> bool:
    """Whether an import names the submission's own folder: `from Ejemplo.board import …` in the folder `Ejemplo`."""
    name, _, rest = item.module.partition(".")
    return name == root.name and rest != "" and graph.has_top_level(rest) and not graph.has_top_level(name)


def _module_name(root: Path, source: Source) -> str:
    """The name of the module: dotted if the file has relative imports, because these need a package."""
    is_package = source.file.name == "__init__.py"
    folders = _folders(root, source)
    names = folders if is_package else [*folders, source.file.stem.replace(".", "_")]
    level = max((item.level for item in source.imports), default=0)
    # All folders below the submission's own, and that one too if the dots lead up to it.
    needed = max(len(source.file.parts) - is_package, level + (not is_package), 1) if level else 1
    module = ".".join(names[-needed:])
    return f"{module}_" if module in sys.stdlib_module_names else module


def _folders(root: Path, source: Source) -> list[str]:
    """The folders around a file, starting with the submission's own, as parts of a module name."""
    return [folder.replace(".", "_") for folder in (root.name, *source.file.parent.parts)]


def _is_stub(shape: ClassShape) -> bool:
    """Whether this is a copy of a class of the course without its code, to which nothing was added."""
    handed_out = handout_classes().get(shape.name)
    if handed_out is None or shape.bases or sum(required for _, required in shape.parameters) > 1:
        return False
    return handed_out.is_stub(shape.methods, shape.stubs)


def _game(chosen: Candidate, used: list[Source]) -> str | None:
    """The game of a player: by the course's classes that it uses, else the board's members, else the board's name."""
    if chosen.kind == "function":
        return next((game for game, code in player_codes().items() if code.functions), None)
    names = {item.name for source in used for item in source.imports}
    names |= {shape.name for source in used for shape in source.classes}
    members = set[str]().union(*(source.members for source in used))
    shapes = [shape for shape in chosen.source.classes if shape.name == chosen.name]
    parameters = {name.lower() for shape in shapes for name in shape.play_parameters}
    for games in (
        {game for game, code in player_codes().items() if names & {handed_out.name for handed_out in code.classes}},
        {game for game, code in player_codes().items() if members & code.members},
        {game for game, code in player_codes().items() if parameters & code.parameters},
    ):
        if len(games) == 1:
            return games.pop()
    return None
