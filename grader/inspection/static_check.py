"""Check a submission's code for things that its author or the instructor should know before it plays.

Nothing is imported or run: everything is read from the syntax tree, so this is advice, not security. Code that hides what it
does is not detected here; what a player must not do is prevented by the sandbox of its process.
"""

import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.machinery import PathFinder
from itertools import groupby
from pathlib import Path

from grader.inspection.entry import Entry
from grader.inspection.no_player import classes_without_play, missing_play_finding
from grader.inspection.reach import Reach
from grader.inspection.submission_code import SubmissionCode
from grader.intake.files import printable_path
from grader.intake.handouts import course_files
from grader.language import say
from grader.records import Finding
from grader.source.facts import Source
from grader.source.uses import find_kinds

LISTED = 3
"""How many findings with the same code are listed; the last says how many more there are."""


def check(
    code: SubmissionCode,
    entry: Entry | None,
    *,
    forbidden_imports: Sequence[str] = (),
    course_modules: Sequence[str] = (),
) -> tuple[Finding, ...]:
    """The findings about the code that the entry's moves can reach, or about all files if there is no entry.

    `course_modules` are modules that the course provides, in addition to those that the entry lists. Files that cannot be
    parsed are skipped: `choose_entry` has already reported them.
    """
    sources = [source for source in code.graph.sources if entry is None or source.file == entry.file]
    if entry is not None:
        sources = [source for start in sources for source in code.graph.reachable_files(start)]
    sources.sort(key=lambda source: source.file)
    provided = {*course_files(), *course_modules, *(entry.course_modules if entry else ())}
    findings = [] if entry else [missing_play_finding(cls) for cls in classes_without_play(code.graph)]
    findings += _missing_imports(sources, provided, _submitted_modules([*code.files.python, *code.files.others]))
    reach = Reach(code.graph, sources, entry)
    for source in sources:
        findings += _use_findings(source, forbidden_imports, reach)
    return _shorten(findings)


def _submitted_modules(files: Sequence[Path]) -> set[str]:
    """Names under which the submission's own files and folders can be imported, judging by their names."""
    modules = {file.name.partition(".")[0] for file in files if file.suffix in (".py", ".so", ".pyd")}
    return modules | {part for file in files for part in file.parts[:-1]}


def _missing_imports(sources: Sequence[Source], provided: set[str], submitted: set[str]) -> Iterator[Finding]:
    for source in sources:
        for item in source.imports:
            top = item.module.partition(".")[0]
            is_found = top in submitted or _is_importable(top) or _is_provided(item.module, provided)
            if not (item.level or item.optional or is_found):
                text = say(
                    "It imports {module}, which is neither part of the submission nor installed here.",
                    module=item.module,
                )
                help_ = say(
                    "Include the file, or do not use the package; the instructor can install packages for the whole course."
                )
                file = printable_path(source.file)
                yield Finding(code="missing_import", file=file, line=item.line, text=text, help=help_)


def _is_provided(module: str, provided: set[str]) -> bool:
    return module in provided or any(name.startswith(f"{module}.") for name in provided)


@cache
def _is_importable(name: str) -> bool:
    """Whether a player can import a module from Python or the installed packages. Only looks for the file."""
    if name in sys.stdlib_module_names or name in ("grader", "__main__"):
        return True
    if name == "reference_players":  # installed, but hidden from players
        return False
    # Not `importlib.util.find_spec`: it would also search the working directory, which may be anything.
    packages = sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *_site_packages()})
    try:
        return PathFinder.find_spec(name, packages) is not None
    except (ImportError, ValueError):
        return False


def _site_packages() -> list[str]:
    return [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]


def _use_findings(source: Source, forbidden: Sequence[str], reach: Reach) -> Iterator[Finding]:
    """What a file uses. An import that the assignment forbids is reported wherever it is, the rest if a move can reach it."""
    file = printable_path(source.file)
    idle = {item.line for item in source.imports if reach.is_idle(source, item.alias.partition(".")[0])}
    for use in source.uses:
        for name in forbidden:
            if use.is_of(name):
                text = say("It uses {name}, but the assignment forbids {forbidden}.", name=use.name, forbidden=name)
                help_ = say("Do not use {name}.", name=name)
                yield Finding(code="forbidden_import", file=file, line=use.line, text=text, help=help_)
        if not reach.covers(source, use.line) or (use.how == "import" and use.line in idle):
            continue
        for kind in find_kinds(use.name, use.how):
            text = say("{summary} ({name}).", summary=kind.summary, name=use.name)
            yield Finding(code=kind.code, file=file, line=use.line, text=text, help=kind.help)
    for text, line in source.import_time:
        help_ = say('Move it into the player, or under `if __name__ == "__main__":`.')
        yield Finding(code="import_time", file=file, line=line, text=text, help=help_)


def _shorten(findings: list[Finding]) -> tuple[Finding, ...]:
    """The first findings of each code, each line at most once, in the order of the files."""
    unique = {(finding.code, finding.file, finding.line): finding for finding in reversed(findings)}
    ordered = sorted(unique.values(), key=lambda finding: (finding.code, finding.file or "", finding.line or 0))
    listed: list[Finding] = []
    for _, group in groupby(ordered, key=lambda finding: finding.code):
        same = list(group)
        listed += same[:LISTED]
        if len(same) > LISTED:
            text = say("{text} And {more} more like this.", text=listed[-1].text, more=len(same) - LISTED)
            listed[-1] = replace(listed[-1], text=text)
    return tuple(sorted(listed, key=lambda finding: (finding.file or "", finding.line or 0, finding.code)))
