"""The files of a submission as modules that import one another: who takes what from whom."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from grader.source.facts import ClassShape, Import, Source

_MOST_STEPS = 300
"""No honest player's name or line of descent takes more."""

_MOST_FOLDERS = 30
"""No honest module lies deeper."""


@dataclass(frozen=True, slots=True)
class DefinedClass:
    """A class and the file in which it stands."""

    source: Source
    shape: ClassShape


class ImportGraph:
    """All files of a submission that could be read, and which of them imports which."""

    def __init__(self, sources: list[Source]) -> None:
        self.sources = sorted(sources, key=lambda source: (len(source.file.parts), source.file))
        self._by_file = {source.file: source for source in sources}
        self._classes: dict[tuple[Path, str], DefinedClass] = {}
        for source in sources:
            for shape in source.classes:
                other = self._classes.get((source.file, shape.name))
                # Of two with one name, as in `try … except`, the one that does more.
                if other is None or len(shape.stubs) <= len(other.shape.stubs):
                    self._classes[source.file, shape.name] = DefinedClass(source, shape)
        self._resolved: dict[tuple[str, int, Path], Source | None] = {}
        self._no_class: set[tuple[Path, str]] = set()
        """Names that are known to mean no class: else a ring of `import *` would be walked for every name anew."""

    def module(self, taken: Import, by: Source) -> Source | None:
        """The file that an import means, looked for where Python would: beside the importing file, then above it."""
        asked = (taken.module, taken.level, by.file.parent)
        if asked not in self._resolved:
            paths = (path for at in _places(taken, by.file.parent) for path in _module_files(at))
            self._resolved[asked] = next((self._by_file[path] for path in paths if path in self._by_file), None)
        return self._resolved[asked]

    def has_module(self, taken: Import, by: Source) -> bool:
        """Whether an import means a file of the submission, either the module or what is taken from it."""
        return (self.module(taken, by) or self.module(submodule(taken), by)) is not None

    def has_top_level(self, module: str) -> bool:
        """Whether the submission's own folder holds a module or a folder of that name."""
        at = Path(*module.split("."))
        return at.with_name(f"{at.name}.py") in self._by_file or any(at in file.parents for file in self._by_file)

    def reachable_files(self, start: Source) -> list[Source]:
        """A file and those of the submission that it imports, directly or not."""
        found = {start.file: start}
        waiting = [start]
        while waiting:
            source = waiting.pop()
            for taken in source.imports:
                for other in (self.module(taken, source), self.module(submodule(taken), source)):
                    if other is not None and other.file not in found:
                        found[other.file] = other
                        waiting.append(other)
        return list(found.values())

    def find_class(self, name: str, source: Source) -> DefinedClass | None:
        """The class that a name means in a file: its own, one that it imports, or an alias of either."""
        seen: set[tuple[Path, str]] = set()
        found = self._search(name, source, seen)
        if found is None:
            self._no_class |= seen
        return found

    def _search(self, name: str, source: Source, seen: set[tuple[Path, str]]) -> DefinedClass | None:
        if (source.file, name) in self._classes:
            return self._classes[source.file, name]
        if (source.file, name) in seen or (source.file, name) in self._no_class or len(seen) >= _MOST_STEPS:
            return None
        seen.add((source.file, name))
        if source.aliases.get(name):
            return self._search(source.aliases[name], source, seen)
        head, _, rest = name.rpartition(".")
        for taken in source.imports:
            if taken.alias not in (name, head, "*"):
                continue
            wanted = taken.name if taken.alias == name else rest
            other = self.module(submodule(taken) if taken.alias == head else taken, source)
            found = self._search(wanted, other, seen) if other is not None else None
            if found is not None:
                return found
        return None

    def bases(self, cls: DefinedClass) -> Iterator[DefinedClass]:
        """The classes of the submission from which a class derives directly."""
        for base in cls.shape.bases:
            found = self.find_class(base, cls.source)
            if found is not None and found != cls:
                yield found

    def ancestry(self, cls: DefinedClass) -> list[DefinedClass]:
        """A class and all from which it derives, nearest first."""
        line = [cls]
        for member in line:  # grows while it is read
            if len(line) > _MOST_STEPS:
                break
            line += [base for base in self.bases(member) if base not in line]
        return line


def imported_files(source: Source) -> Iterator[Path]:
    """Every path at which a file that this one imports may be, and those of the packages around it."""
    for taken in source.imports:
        if taken.level:  # it needs the package in which it stands
            yield from (above / "__init__.py" for above in (source.file.parent, *source.file.parent.parents))
        for meant in (taken, submodule(taken)):
            for at in _places(meant, source.file.parent):
                yield from _module_files(at)
                yield from (at.with_name(at.name + suffix) for suffix in EXTENSION_SUFFIXES)
                if len(at.parts) < _MOST_FOLDERS:
                    yield from (above / "__init__.py" for above in at.parents if above != Path())


def submodule(taken: Import) -> Import:
    """`from package import module` read as `import package.module`."""
    return replace(taken, module=f"{taken.module}.{taken.name}".strip("."), name="")


def _module_files(at: Path) -> tuple[Path, Path]:
    """A module's path as a file and as a package."""
    return at.with_name(f"{at.name}.py"), at / "__init__.py"


def _places(taken: Import, folder: Path) -> list[Path]:
    """Where the file of an import may be, without its suffix."""
    parts = taken.module.split(".") if taken.module else []
    if taken.level:
        climbed = [folder, *folder.parents]
        return [climbed[taken.level - 1].joinpath(*parts)] if taken.level <= len(climbed) and parts else []
    return [above.joinpath(*parts) for above in (folder, *folder.parents)] if parts else []
