"""Look through a submission's code for what its author or the instructor should know before it plays.

Nothing is imported or run: all is read from the syntax, so that it is advice and no wall. Code that hides what it
does is not found here; what a player may not do, its process cannot.
"""

import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.machinery import PathFinder
from itertools import groupby
from pathlib import Path

from grader.inspection.candidates import classes_without_play, missing_play_finding
from grader.inspection.entry import Entry
from grader.inspection.submission_code import SubmissionCode
from grader.intake.files import printable_path
from grader.intake.handed_out import course_files
from grader.language import say
from grader.records import Finding
from grader.source.facts import Source
from grader.source.uses import find_kinds

LISTED = 3
"""How many findings of one code are shown; the last says how many more there are."""


def check(
    code: SubmissionCode,
    entry: Entry | None,
    *,
    forbidden_imports: Sequence[str] = (),
    course_modules: Sequence[str] = (),
) -> tuple[Finding, ...]:
    """What there is to say about the files that the entry reaches; about all of them, if there is no entry.

    `course_modules` are modules that the course provides, beside those of which the entry knows. Files that are no
    Python are left out: finding the entry has already said so.
    """
    sources = [source for source in code.graph.sources if entry is None or source.file == entry.file]
    if entry is not None:
        sources = [source for start in sources for source in code.graph.reachable_files(start)]
    sources.sort(key=lambda source: source.file)
    provided = {*course_files(), *course_modules, *(entry.course_modules if entry else ())}
    findings = [] if entry else [missing_play_finding(cls) for cls in classes_without_play(code.graph)]
    findings += _missing_imports(sources, provided, _shipped_modules([*code.files.python, *code.files.others]))
    for source in sources:
        findings += _use_findings(source, forbidden_imports)
    return _shorten(findings)


def _shipped_modules(files: Sequence[Path]) -> set[str]:
    """Names under which the submission's own files and folders can be imported, as far as names tell."""
    modules = {file.name.partition(".")[0] for file in files if file.suffix in (".py", ".so", ".pyd")}
    return modules | {part for file in files for part in file.parts[:-1]}


def _missing_imports(sources: Sequence[Source], provided: set[str], shipped: set[str]) -> Iterator[Finding]:
    for source in sources:
        for taken in source.imports:
            top = taken.module.partition(".")[0]
            there = top in shipped or _is_importable(top) or _is_provided(taken.module, provided)
            if not (taken.level or taken.optional or there):
                text = say(
                    "It imports {module}, which is neither part of the submission nor installed here.",
                    module=taken.module,
                )
                help_ = say(
                    "Submit the file as well, or do without; the instructor can install a package for everybody."
                )
                file = printable_path(source.file)
                yield Finding(code="missing_import", file=file, line=taken.line, text=text, help=help_)


def _is_provided(module: str, provided: set[str]) -> bool:
    return module in provided or any(name.startswith(f"{module}.") for name in provided)


@cache
def _is_importable(name: str) -> bool:
    """Whether a player can import a module from Python or the installed packages. Looks for its file, and no more."""
    if name in sys.stdlib_module_names or name in ("grader", "__main__"):
        return True
    if name == "reference_players":  # installed, and hidden from players
        return False
    # Not `importlib.util.find_spec`: it would also look where the grader was started, which may be anywhere.
    packages = sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *_site_packages()})
    try:
        return PathFinder.find_spec(name, packages) is not None
    except (ImportError, ValueError):
        return False


def _site_packages() -> list[str]:
    return [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]


def _use_findings(source: Source, forbidden: Sequence[str]) -> Iterator[Finding]:
    file = printable_path(source.file)
    for use in source.uses:
        for name in forbidden:
            if use.is_of(name):
                text = say("It uses {name}, and the assignment forbids {forbidden}.", name=use.name, forbidden=name)
                help_ = say("Do without {name}.", name=name)
                yield Finding(code="forbidden_import", file=file, line=use.line, text=text, help=help_)
        for kind in find_kinds(use.name, use.how):
            text = say("It {does} ({name}).", does=kind.does, name=use.name)
            yield Finding(code=kind.code, file=file, line=use.line, text=text, help=kind.help)
    for what, line in source.import_time:
        text = say("{what} runs as soon as the file is imported, before any game.", what=what)
        help_ = say('Move it into the player, or below `if __name__ == "__main__":`.')
        yield Finding(code="import_time", file=file, line=line, text=text, help=help_)


def _shorten(findings: list[Finding]) -> tuple[Finding, ...]:
    """A few of each code, a line at most once, in the order of the files."""
    once = {(one.code, one.file, one.line): one for one in reversed(findings)}
    order = sorted(once.values(), key=lambda one: (one.code, one.file or "", one.line or 0))
    kept: list[Finding] = []
    for _, group in groupby(order, key=lambda one: one.code):
        same = list(group)
        kept += same[:LISTED]
        if len(same) > LISTED:
            text = say("{text} And {more} more like this.", text=kept[-1].text, more=len(same) - LISTED)
            kept[-1] = replace(kept[-1], text=text)
    return tuple(sorted(kept, key=lambda one: (one.file or "", one.line or 0, one.code)))
