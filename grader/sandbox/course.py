"""The modules that a course hands out, for submissions that import them but do not include working copies.

The game's interface lists these modules and classes. A name that no other finder knows is imported from the course.
"""

import __future__

import builtins
import linecache
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
)
from types import CodeType, ModuleType
from typing import Any

from grader.games.interface import Interface

_UNEVALUATED = __future__.annotations.compiler_flag if sys.version_info < (3, 14) else 0
"""The flag for annotations that are not evaluated, as in Python 3.14, where they are never evaluated at once."""


class CourseModules:
    """Finds and loads the course's modules that no other finder has. Goes last on `sys.meta_path`.

    A finder and a loader that derives from neither: `importlib.abc` takes 10 ms to import.
    """

    def __init__(self, interface: Interface, names: Iterable[str]) -> None:
        self._interface, self._names = interface, frozenset((*interface.modules, *names))

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  the import system passes it to every finder
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """The course's module of that name, or the package that holds it."""
        package = any(name.startswith(fullname + ".") for name in self._names)
        if fullname not in self._names and not package:
            return None
        return ModuleSpec(fullname, self, is_package=package)  # type: ignore[arg-type]  # a loader by its shape

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave this to the import system."""

    def exec_module(self, module: ModuleType) -> None:
        """Fill the module with the course's names."""
        contents = self._interface.contents(module.__name__)
        vars(module).update({name: value for name, value in contents.items() if not name.startswith("__")})


def install_course_modules(interface: Interface, names: Iterable[str]) -> None:
    """Make the course's modules importable, under these names and all the usual ones."""
    sys.meta_path.append(CourseModules(interface, names))
    vars(builtins).update(interface.classes)  # for submissions that use them in an annotation and never import them


class ReadableFilesFinder:
    """Finds modules in a folder of which only some files are readable, and which cannot be listed."""

    def __init__(self, folder: str, files: Iterable[str], loader: type[SourceFileLoader]) -> None:
        self._folder, self._files, self._loader = folder, frozenset(files), loader

    def find_spec(self, fullname: str, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG002
        """The module of that name: a package, a file, or a folder with readable files."""
        at = os.path.join(self._folder, fullname.rpartition(".")[2])
        package = os.path.join(at, "__init__.py")
        if package in self._files:
            spec = ModuleSpec(fullname, self._loader(fullname, package), origin=package, is_package=True)
            spec.submodule_search_locations = [at]
        elif file := next((at + end for end in (*EXTENSION_SUFFIXES, ".py") if at + end in self._files), None):
            kind = self._loader if file.endswith(".py") else ExtensionFileLoader
            spec = ModuleSpec(fullname, kind(fullname, file), origin=file)
        elif any(file.startswith(at + os.sep) for file in self._files):
            spec = ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = [at]
            return spec
        else:
            return None
        spec.has_location = True
        return spec

    def invalidate_caches(self) -> None:
        """Do nothing: there is no cache."""


def install_file_loader(
    readable: Sequence[str],
    stubs: Sequence[Sequence[str]],
    classes: Mapping[str, Any],
    cells: Sequence[tuple[str, str]] = (),
) -> type[SourceFileLoader]:
    """Install a loader for the submission's own files and folders (`readable`), and return it.

    `cells` are the names and the code of a notebook's cells, which run instead of the notebook.
    """
    files = [path for path in readable if os.path.isfile(path)]
    folders = [path for path in readable if path not in files]

    class OwnFile(SourceFileLoader):
        """Runs a file of the submission, with the course's classes as a fallback.

        They are used for names that the file does not define (`from player import Player` in `player.py`), and replace
        those in `stubs`: pairs of a file and a class in it that was left unimplemented.
        """

        def exec_module(self, module: ModuleType) -> None:
            vars(module)["__getattr__"] = _fallback_to(module.__name__, classes)
            if self.path.lower().endswith(".ipynb"):
                for name, text in cells:
                    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
                    exec(self.source_to_code(text, name), vars(module))  # noqa: S102  the student's code, in its own process
            else:
                super().exec_module(module)
            for file, name in stubs:
                if file == self.path and name in classes:
                    setattr(module, name, classes[name])

        def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:  # type: ignore[override]
            """Compile without evaluating annotations, which may name classes that are defined later or nowhere."""
            code: CodeType = compile(data, path, "exec", _UNEVALUATED, dont_inherit=True, optimize=_optimize)
            return code

        def path_stats(self, path: str) -> Any:
            raise OSError(
                f"{path}: compiled files are not used, so that the code that was checked is the code that runs"
            )

    def finder(path: str) -> FileFinder | ReadableFilesFinder:
        if not any(path == folder or path.startswith(folder + os.sep) for folder in folders):
            if any(file.startswith(path + os.sep) for file in files):
                return ReadableFilesFinder(path, files, OwnFile)
            raise ImportError
        return FileFinder(path, (ExtensionFileLoader, EXTENSION_SUFFIXES), (OwnFile, SOURCE_SUFFIXES))

    sys.path_hooks.insert(0, finder)
    return OwnFile


def _fallback_to(module: str, classes: Mapping[str, Any]) -> Callable[[str], Any]:
    def answer(name: str) -> Any:
        if name in classes:
            return classes[name]
        raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)

    return answer
