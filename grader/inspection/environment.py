"""What a player depends on outside its submission: Python, and the installed packages that its code imports."""

import importlib
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, packages_distributions, version

from grader.inspection.entry import Entry
from grader.inspection.submission_code import SubmissionCode

NOT_INSTALLED = ""
_MOST = 200
"""The most packages of one player: no real one imports more."""


def installed_packages() -> Mapping[str, list[str]]:
    """The installed packages by the name of each module that they contain, as they are now."""
    importlib.invalidate_caches()
    return packages_distributions()


def environment(code: SubmissionCode, entry: Entry, installed: Mapping[str, list[str]]) -> dict[str, str]:
    """The version of Python and of each package that a player imports, so that a change of them is noticed."""
    start = next(source for source in code.graph.sources if source.file == entry.file)
    modules = {
        item.module.partition(".")[0]
        for source in code.graph.reachable_files(start)
        for item in source.imports
        if item.level == 0 and not code.graph.has_module(item, source)
    }
    foreign = sorted(modules - sys.stdlib_module_names)[:_MOST]
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return {"python": python, **{module: _version(module, installed) for module in foreign}}


def _version(module: str, installed: Mapping[str, list[str]]) -> str:
    try:
        return ", ".join(sorted(f"{name} {version(name)}" for name in set(installed.get(module, ()))))
    except PackageNotFoundError:  # removed since it was listed
        return NOT_INSTALLED
