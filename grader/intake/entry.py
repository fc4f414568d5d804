"""Find the player in one submission's folder or file, by a published rule.

1. An entry that the assignment names (`solution.py:SmartPlayer`) wins.
2. Else a candidate is a class with a `play` that takes a board, its own or inherited from another class of the submission,
   unless others derive from it or its `play` does nothing or only raises; or a function `play(game, player)` outside any
   class.
3. Candidates in `solution.py` come first, then in `player.py`, then in any other file, then in tests.
4. Then a class called `SmartPlayer`; and a class called Random…, Human… or Dummy…, or that calls `input`, comes last.
5. Then the file in the shallowest folder.

What was chosen is said in a finding wherever there was a choice. Where two are equally good, nothing is chosen.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.intake.requirements import missing_packages
from grader.intake.source import ClassShape, Source, Unreadable, read_source
from grader.records import Finding

IGNORED_FOLDERS = frozenset(
    {".git", "__MACOSX", "__pycache__", "node_modules", "site-packages", ".venv", "venv", ".idea"}
)
MAX_FILES = 2000
COURSE_CLASSES = ("Player", "HexBoard", "Environment")
_FILE_RANK = {"solution.py": 0, "player.py": 1}
_LAST_NAMES = ("random", "human", "dummy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Where a submission's player is, and what its process needs to know to build it."""

    root: Path
    file: Path
    """Relative to the root."""
    name: str
    kind: str
    """`class`, or `function` for the 2022 edition."""
    module: str
    """The name under which the file is imported."""
    course_modules: tuple[str, ...] = ()
    """Modules from which the submission takes the course's classes, under whatever name."""
    stubs: tuple[tuple[str, str], ...] = ()
    """Modules of its own that have one of the course's classes with nothing in it."""
    readable: tuple[Path, ...] = ()
    """What its process may read; the root, if nothing is said."""
    game: str | None = None
    """The game that it is written for, as far as its imports tell."""

    def as_order(self) -> dict[str, Any]:
        """What the player's process is told."""
        full = self.root / self.file
        folders = [
            full.parent,
            *(folder for folder in full.parents if folder == self.root or self.root in folder.parents),
        ]
        if "." in self.module:  # a package's module finds its own kind from the root
            folders.insert(0, self.root)
        return {
            "root": str(self.root),
            "file": str(full),
            "paths": list(dict.fromkeys(str(folder) for folder in folders)),
            "name": self.name,
            "kind": self.kind,
            "module": self.module,
            "course_modules": list(self.course_modules),
            "stubs": [list(stub) for stub in self.stubs],
            "readable": [str(path) for path in self.readable or (self.root,)],
        }


@dataclass(frozen=True, slots=True)
class _Candidate:
    source: Source
    name: str
    kind: str
    rank: tuple[int, int, int]


def find_entry(path: Path, configured: str | None = None) -> tuple[Entry | None, tuple[Finding, ...]]:
    """The player in a submission's folder or file, if there is one to choose, and what there is to say about it."""
    path = path.resolve()
    root = path.parent if path.is_file() else path
    sources, unreadable, findings = _read_all(root)
    considered = [source for source in sources if path == root or root / source.file == path]
    candidates = _candidates(considered, sources)
    if configured is not None:
        chosen, said = _configured(configured, sources, candidates)
    else:
        chosen, said = _chosen(candidates, [bad for bad in unreadable if path in (root, root / bad.file)])
    findings += said
    findings += missing_packages(root)
    if chosen is None:
        return None, tuple(findings)
    return _entry(root, chosen, sources), tuple(findings)


def _read_all(root: Path) -> tuple[list[Source], list[Unreadable], list[Finding]]:
    sources: list[Source] = []
    unreadable: list[Unreadable] = []
    findings: list[Finding] = []
    for number, file in enumerate(_python_files(root)):
        if number >= MAX_FILES:
            findings.append(
                Finding(
                    code="too_many_files",
                    text=f"The submission has more than {MAX_FILES} Python files; the rest were not looked at.",
                    help="Submit only the files that the player needs.",
                )
            )
            break
        source = read_source(root, file)
        if isinstance(source, Source):
            sources.append(source)
        else:
            unreadable.append(source)
            findings.append(
                Finding(
                    code="syntax_error",
                    file=file.as_posix(),
                    line=source.line,
                    text=f"{file.as_posix()} is no Python that can be read: {source.reason}.",
                    help="Open the file in an editor and mend this line.",
                )
            )
    return sources, unreadable, findings


def _python_files(folder: Path, below: Path = Path()) -> Iterator[Path]:
    """The Python files of a folder, relative to it, shallow ones first, always in the same order."""
    try:
        entries = sorted((folder / below).iterdir(), key=lambda entry: entry.name)
    except OSError:  # a folder that may not be read
        return
    for entry in entries:
        if entry.suffix == ".py" and entry.is_file():
            yield below / entry.name
    for entry in entries:
        ignored = entry.name in IGNORED_FOLDERS or (entry / "pyvenv.cfg").exists()
        if entry.is_dir() and not entry.is_symlink() and not ignored:
            yield from _python_files(folder, below / entry.name)


def _candidates(considered: list[Source], sources: list[Source]) -> list[_Candidate]:
    classes = {shape.name: shape for source in sources for shape in source.classes}
    derived_from = {
        base for source in sources for shape in source.classes for base in shape.bases if base != shape.name
    }
    found = []
    for source in considered:
        for shape in source.classes:
            if shape.name not in derived_from and _plays(shape, classes):
                found += [_Candidate(source, shape.name, "class", _rank(source, shape))]
        if source.play_function:
            found += [_Candidate(source, "play", "function", _rank(source, None))]
    return sorted(found, key=lambda candidate: candidate.rank)


def _plays(shape: ClassShape, classes: dict[str, ClassShape]) -> bool:
    """Whether a class has a `play` that does something, its own or its base's."""
    seen = {shape.name}
    while not shape.has_play and not shape.empty_play:
        base = next((classes[name] for name in shape.bases if name in classes and name not in seen), None)
        if base is None:
            return False
        seen.add(base.name)
        shape = base
    return shape.has_play and not shape.empty_play


def _rank(source: Source, shape: ClassShape | None) -> tuple[int, int, int]:
    name = source.file.name.lower()
    in_tests = name.startswith("test_") or any(part in ("test", "tests") for part in source.file.parts)
    file_rank = 3 if in_tests else _FILE_RANK.get(name, 2)
    if shape is None:
        return file_rank, 3, len(source.file.parts)
    last = shape.asks_person or shape.name.lower().startswith(_LAST_NAMES)
    class_rank = 0 if shape.name == "SmartPlayer" else 2 if last else 1
    return file_rank, class_rank, len(source.file.parts)


def _configured(
    configured: str, sources: list[Source], candidates: list[_Candidate]
) -> tuple[_Candidate | None, list[Finding]]:
    """The entry that the assignment names: a file, and perhaps a class in it."""
    wanted, _, name = configured.partition(":")
    fitting = [source for source in sources if source.file.as_posix() == wanted] or [
        source for source in sources if source.file.name == Path(wanted).name
    ]
    for source in fitting:
        if not name:
            own = [candidate for candidate in candidates if candidate.source is source]
            if own:
                return own[0], []
        elif any(shape.name == name for shape in source.classes) or (name == "play" and source.play_function):
            kind = "class" if any(shape.name == name for shape in source.classes) else "function"
            return _Candidate(source, name, kind, (0, 0, 0)), []
    return None, [
        Finding(
            code="no_player",
            text=f"The assignment asks for {configured}, and the submission has no such player.",
            help=f"Put the player into {wanted}{f', in a class called {name}' if name else ''}.",
        )
    ]


def _chosen(candidates: list[_Candidate], unreadable: list[Unreadable]) -> tuple[_Candidate | None, list[Finding]]:
    best_rank = candidates[0].rank[0] if candidates else 9
    if any(_FILE_RANK.get(bad.file.name.lower(), 9) < best_rank for bad in unreadable):
        return None, []  # the file that would have come first cannot be read, and a finding says why
    if not candidates:
        return None, [] if unreadable else [_no_player()]
    best = [candidate for candidate in candidates if candidate.rank == candidates[0].rank]
    if len(best) > 1:
        return None, [_several(best)]
    if len(candidates) == 1:
        return best[0], []
    others = ", ".join(_written(candidate) for candidate in candidates[1:6])
    return best[0], [
        Finding(
            code="chosen",
            file=best[0].source.file.as_posix(),
            text=f"{_written(best[0])} was chosen to play; there were also {others}.",
            help="Submit only one player, or have the assignment name it: entry: solution.py:SmartPlayer.",
        )
    ]


def _written(candidate: _Candidate) -> str:
    return f"{candidate.source.file.as_posix()}:{candidate.name}"


def _no_player() -> Finding:
    return Finding(
        code="no_player",
        text="No player was found: expected a class with a method play(self, board).",
        help="Put a class with play(self, board) into solution.py at the top of the folder.",
    )


def _several(best: list[_Candidate]) -> Finding:
    listed = ", ".join(_written(candidate) for candidate in best)
    return Finding(
        code="several_players",
        text=f"These players are equally good to choose: {listed}.",
        help=f"Call the one that should play SmartPlayer, or have the assignment name it: entry: {_written(best[0])}.",
    )


def _entry(root: Path, chosen: _Candidate, sources: list[Source]) -> Entry:
    file = chosen.source.file
    dotted = ".".join(file.with_suffix("").parts)
    own = {".".join(source.file.with_suffix("").parts): source for source in sources}
    own |= {source.file.stem: source for source in sources if source.file.parent in (file.parent, Path())}
    asked = {module for source in sources for module, name, _ in source.imports if name in COURSE_CLASSES}
    stubs = [
        (module, shape.name)
        for module in sorted(asked & set(own))
        for shape in own[module].classes
        if shape.name in ("HexBoard", "Environment") and len(shape.stubs) > 1
    ]
    return Entry(
        root=root,
        file=file,
        name=chosen.name,
        kind=chosen.kind,
        module=dotted if chosen.source.relative_imports else file.stem,
        course_modules=tuple(sorted(asked - set(own))),
        game=_game({name for source in sources for _, name, _ in source.imports}),
        stubs=tuple(stubs),
    )


def _game(imported: set[str]) -> str | None:
    told = {game for name, game in (("HexBoard", "hex"), ("Environment", "desconecta4")) if name in imported}
    return told.pop() if len(told) == 1 else None
