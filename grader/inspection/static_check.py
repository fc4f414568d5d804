"""Look through a submission's code for what its author or the instructor should know before it plays.

Nothing is imported or run: all is read from the syntax tree, so that it is advice and no wall. Code that hides what it
does is not found here; what a player may not do, its process cannot.
"""

import ast
import sys
import sysconfig
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.machinery import PathFinder
from itertools import groupby
from pathlib import Path

from grader.inspection.candidates import missing_play, without_play
from grader.inspection.entry import Entry
from grader.inspection.import_graph import Tree
from grader.intake.course import course_files
from grader.intake.files import Files, list_files, shown
from grader.language import say
from grader.records import Finding
from grader.source.import_time import runs_on_import
from grader.source.reading import Source, read_source
from grader.source.uses import Use, kinds, uses

LISTED = 3
"""How many findings of one code are shown; the last says how many more there are."""
"""What every course hands out."""


def check(
    folder: Path, entry: Entry | None, *, forbidden_imports: Sequence[str] = (), course_modules: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """What there is to say about the files that the entry reaches; about all of them, if there is no entry.

    `course_modules` are modules that the course provides, beside those of which the entry knows. Files that are no
    Python are left out: finding the entry has already said so.
    """
    folder = folder.resolve()
    files = _files(folder, entry)
    read = [read_source(folder, file) for file in files.python]
    tree = Tree([source for source in read if isinstance(source, Source)])
    sources = _reached(tree, folder, entry)
    provided = {*course_files(), *course_modules, *(entry.course_modules if entry else ())}
    findings = [] if entry else [missing_play(cls) for cls in without_play(tree)]
    findings += _missing_imports(sources, provided, _shipped([*files.python, *files.others]))
    for source in sources:
        module = _parsed(folder / source.file)
        findings += _pointed_out(source.file, uses(module), forbidden_imports)
        findings += [_on_import(source.file, what, line) for what, line in runs_on_import(module)]
    return _shortened(findings)


def _files(folder: Path, entry: Entry | None) -> Files:
    """What is looked at: of a single file that was given, only what belongs to it."""
    if entry is None or not entry.readable:
        return list_files(folder)
    own = [path.relative_to(folder) for path in entry.readable if path.is_relative_to(folder) and path.is_file()]
    compiled = [file for file in own if file.suffix in (".so", ".pyd")]
    return Files(tuple(file for file in own if file not in compiled), tuple(compiled), ())


def _reached(tree: Tree, folder: Path, entry: Entry | None) -> list[Source]:
    if entry is None:
        return sorted(tree.sources, key=lambda source: source.file)
    start = [source for source in tree.sources if folder / source.file == entry.root.resolve() / entry.file]
    return sorted(tree.reachable(start[0]) if start else [], key=lambda source: source.file)


def _parsed(path: Path) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(path.read_bytes())


def _shipped(files: Sequence[Path]) -> set[str]:
    """Names under which the submission's own files and folders can be imported, as far as names tell."""
    modules = {file.name.partition(".")[0] for file in files if file.suffix in (".py", ".so", ".pyd")}
    return modules | {part for file in files for part in file.parts[:-1]}


def _missing_imports(sources: Sequence[Source], provided: set[str], shipped: set[str]) -> Iterator[Finding]:
    for source in sources:
        for taken in source.imports:
            top = taken.module.partition(".")[0]
            there = top in shipped or _installed(top) or _is_provided(taken.module, provided)
            if not (taken.level or taken.optional or there):
                yield Finding(
                    code="missing_import",
                    file=shown(source.file),
                    line=taken.line,
                    text=say(
                        "It imports {module}, which is neither part of the submission nor installed here.",
                        module=taken.module,
                    ),
                    help=say(
                        "Submit the file as well, or do without; the instructor can install a package for everybody."
                    ),
                )


def _is_provided(module: str, provided: set[str]) -> bool:
    return module in provided or any(name.startswith(f"{module}.") for name in provided)


@cache
def _installed(name: str) -> bool:
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


def _pointed_out(file: Path, found: Sequence[Use], forbidden: Sequence[str]) -> Iterator[Finding]:
    for use in found:
        for name in forbidden:
            if use.is_of(name):
                yield Finding(
                    code="forbidden_import",
                    file=shown(file),
                    line=use.line,
                    text=say("It uses {name}, and the assignment forbids {forbidden}.", name=use.name, forbidden=name),
                    help=say("Do without {name}.", name=name),
                )
        for kind in kinds(use.name, use.how):
            yield Finding(
                code=kind.code,
                file=shown(file),
                line=use.line,
                text=say("It {does} ({name}).", does=kind.does, name=use.name),
                help=kind.help,
            )


def _on_import(file: Path, what: str, line: int) -> Finding:
    return Finding(
        code="import_time",
        file=shown(file),
        line=line,
        text=say("{what} runs as soon as the file is imported, before any game.", what=what),
        help=say('Move it into the player, or below `if __name__ == "__main__":`.'),
    )


def _shortened(findings: list[Finding]) -> tuple[Finding, ...]:
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
