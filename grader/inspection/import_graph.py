"""Which files of a submission import which, and where each class is defined."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from grader.source.facts import ClassShape, Import, Source

_MOST_STEPS = 300
"""The most aliases, imports or base classes to follow: no real player needs more."""

_MOST_FOLDERS = 30
"""The deepest folder of a module: no real submission has a deeper one."""


@dataclass(frozen=True, slots=True)
class DefinedClass:
    """A class and the file that defines it."""

    source: Source
    shape: ClassShape


class ImportGraph:
    """The files of a submission that could be parsed, and their imports of one another."""

    def __init__(self, sources: list[Source]) -> None:
        self.sources = sorted(sources, key=lambda source: (len(source.file.parts), source.file))
        self._by_file = {source.file: source for source in sources}
        self._classes: dict[tuple[Path, str], DefinedClass] = {}
        for source in sources:
            for shape in source.classes:
                other = self._classes.get((source.file, shape.name))
                # Of two classes with one name, as in `try … except`, the one with fewer stubs.
                if other is None or len(shape.stubs) <= len(other.shape.stubs):
                    self._classes[source.file, shape.name] = DefinedClass(source, shape)
        self.base_names = {
            base.rpartition(".")[2] for source in sources for shape in source.classes for base in shape.bases
        }
        """The names of all base classes, without the modules before them."""
        self._folders = {folder for source in sources for folder in source.file.parents}
        self._resolved: dict[tuple[str, int, Path], Source | None] = {}
        self._no_class: set[tuple[Path, str]] = set()
        """Names that are known not to mean a class. Without this, a cycle of `import *` would be followed for each name."""

    def module(self, item: Import, by: Source) -> Source | None:
        """The file that an import means, searched where Python would: next to the importing file, then above it."""
        key = (item.module, item.level, by.file.parent)
        if key not in self._resolved:
            paths = (path for base in _module_paths(item, by.file.parent) for path in _module_files(base))
            self._resolved[key] = next((self._by_file[path] for path in paths if path in self._by_file), None)
        return self._resolved[key]

    def has_module(self, item: Import, by: Source) -> bool:
        """Whether an import means a file of the submission: the module, or what is imported from it."""
        return (self.module(item, by) or self.module(submodule(item), by)) is not None

    def has_top_level(self, module: str) -> bool:
        """Whether the submission's own folder contains a module or a folder of that name."""
        path = Path(*module.split("."))
        return path.with_name(f"{path.name}.py") in self._by_file or path in self._folders

    def reachable_files(self, start: Source) -> list[Source]:
        """A file and the files of the submission that it imports, directly or indirectly."""
        found = {start.file: start}
        pending = [start]
        while pending:
            source = pending.pop()
            for item in source.imports:
                for other in (self.module(item, source), self.module(submodule(item), source)):
                    if other is not None and other.file not in found:
                        found[other.file] = other
                        pending.append(other)
        return list(found.values())

    def imported_code(self, start: Source) -> frozenset[tuple[str, str, str, str]]:
        """The code that a file imports from the submission, directly or indirectly, and under which names."""
        return frozenset(
            (source.code, item.name, item.alias, other.code)
            for source in self.reachable_files(start)
            for item in source.imports
            for other in (self.module(item, source), self.module(submodule(item), source))
            if other is not None
        )

    def find_class(self, name: str, source: Source) -> DefinedClass | None:
        """The class that a name means in a file: defined there, imported, or an alias of either."""
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
        for item in source.imports:
            if item.alias not in (name, head, "*"):
                continue
            wanted = item.name if item.alias == name else rest
            other = self.module(submodule(item) if item.alias == head else item, source)
            found = self._search(wanted, other, seen) if other is not None else None
            if found is not None:
                return found
        return None

    def bases(self, cls: DefinedClass) -> Iterator[DefinedClass]:
        """The direct base classes of a class that the submission defines."""
        for base in cls.shape.bases:
            found = self.find_class(base, cls.source)
            if found is not None and found != cls:
                yield found

    def ancestry(self, cls: DefinedClass) -> list[DefinedClass]:
        """A class and all its base classes, nearest first."""
        classes = [cls]
        for member in classes:  # grows during the loop
            if len(classes) > _MOST_STEPS:
                break
            classes += [base for base in self.bases(member) if base not in classes]
        return classes


def imported_files(source: Source) -> Iterator[Path]:
    """All paths where a file that this one imports may be, and the `__init__.py` files of the packages around it."""
    for item in source.imports:
        if item.level:  # a relative import needs the package that contains this file
            yield from (above / "__init__.py" for above in (source.file.parent, *source.file.parent.parents))
        for module in (item, submodule(item)):
            for path in _module_paths(module, source.file.parent):
                yield from _module_files(path)
                yield from (path.with_name(path.name + suffix) for suffix in EXTENSION_SUFFIXES)
                if len(path.parts) < _MOST_FOLDERS:
                    yield from (above / "__init__.py" for above in path.parents if above != Path())


def submodule(item: Import) -> Import:
    """`from package import module` read as `import package.module`."""
    return replace(item, module=f"{item.module}.{item.name}".strip("."), name="")


def _module_files(path: Path) -> tuple[Path, Path]:
    """A module's path as a file and as a package."""
    return path.with_name(f"{path.name}.py"), path / "__init__.py"


def _module_paths(item: Import, folder: Path) -> list[Path]:
    """The paths where the file of an import may be, without its suffix."""
    parts = item.module.split(".") if item.module else []
    if item.level:
        folders = [folder, *folder.parents]
        return [folders[item.level - 1].joinpath(*parts)] if item.level <= len(folders) and parts else []
    return [above.joinpath(*parts) for above in (folder, *folder.parents)] if parts else []
