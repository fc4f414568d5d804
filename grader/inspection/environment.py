"""What a player depends on outside its submission: Python, and the installed packages that its code imports."""

import importlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, packages_distributions, version

from grader.inspection.entry import Entry
from grader.inspection.import_graph import submodule
from grader.inspection.submission_code import SubmissionCode
from grader.source.facts import Import

PRELOADED: Mapping[str, tuple[str, ...]] = {
    "networkx": (),
    "numpy": (),
    "pandas": (),
    "scipy": (
        *(
            "fft",
            "integrate",
            "interpolate",
            "linalg",
            "ndimage",
            "optimize",
            "signal",
            "sparse",
            "spatial",
            "special",
            "stats",
        ),
    ),
}
"""Libraries that can be loaded before a player's code, and their parts that must be imported one by one.

They start no threads when they are imported: those would not survive a fork.
"""


def imported_packages(code: SubmissionCode, entry: Entry) -> frozenset[str]:
    """The modules that a player imports, without those of its submission and of Python's own library."""
    modules = {item.module.partition(".")[0] for item in _outside_imports(code, entry)}
    return frozenset(modules - sys.stdlib_module_names)


def preloaded_modules(code: SubmissionCode, entry: Entry) -> tuple[str, ...]:
    """The modules of large libraries that a player imports. Loading them takes longer than everything else.

    Nothing is loaded if the submission has a file or folder that is called like a module of Python: the library might load that first.
    """
    names = {name for source in code.graph.sources for name in (source.file.stem, *source.file.parts[:-1])}
    if names & sys.stdlib_module_names:
        return ()
    found = set()
    for item in _outside_imports(code, entry):
        package, part, *_ = (*submodule(item).module.split("."), "")
        if package in PRELOADED:
            found |= {package, *([f"{package}.{part}"] if part in PRELOADED[package] else [])}
    return tuple(sorted(found))


def _outside_imports(code: SubmissionCode, entry: Entry) -> Iterator[Import]:
    """The imports of a player's file, and of the files that it imports, that do not mean a file of the submission."""
    start = next((source for source in code.graph.sources if source.file == entry.file), None)
    for source in code.graph.reachable_files(start) if start is not None else ():
        yield from (item for item in source.imports if item.level == 0 and not code.graph.has_module(item, source))


def installed_packages(imported: Iterable[str]) -> Mapping[str, list[str]]:
    """The installed packages by the name of each module that they contain, as they are now; empty if none of these is imported.

    Listing them takes long, and most classes import nothing.
    """
    importlib.invalidate_caches()
    return packages_distributions() if any(map(PathFinder.find_spec, imported)) else {}


def environment(imported: Iterable[str], installed: Mapping[str, list[str]]) -> dict[str, str]:
    """The versions of Python and of the installed packages among the imported ones, so that a change of them is noticed."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return {"python": python, **{name: _versions(installed[name]) for name in sorted(imported) if name in installed}}


def _versions(packages: Iterable[str]) -> str:
    return ", ".join(f"{name} {_version(name)}" for name in sorted(set(packages)))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # removed since it was listed
        return ""
