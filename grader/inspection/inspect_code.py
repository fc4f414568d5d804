"""Everything that is read from the code of one submission: its player, the findings, and whether it plays at random."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.games.exam import PlayedCode
from grader.inspection.chance import Chance, chance
from grader.inspection.clock import may_read_clock
from grader.inspection.entry import Entry, choose_entry
from grader.inspection.played_code import read_played_code
from grader.inspection.static_check import check
from grader.inspection.submission_code import SubmissionCode, read_code
from grader.records import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRules:
    """What an assignment says about the code of its submissions."""

    game: str
    entry: str | None = None
    """The player that it names, if any."""
    entries: Mapping[str, str] = field(default_factory=dict)
    """The same for some submissions, by their ids."""
    forbidden_imports: tuple[str, ...] = ()
    course_modules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What was read from the code of one submission."""

    entry: Entry | None
    findings: tuple[Finding, ...]
    rules: int = 0
    """Which of the given rules are for its game, as an index."""
    chance: Chance = Chance.UNKNOWN
    data_files: tuple[Path, ...] = ()
    """For a single file: the files next to it whose names occur in its code."""
    played: PlayedCode | None = None
    """What its code shows to the game's exam, if that was asked for."""


def inspect_code(
    path: Path, rules: Sequence[CodeRules] = (), id_: str = "", *, with_played: bool = False
) -> Inspection:
    """Inspect a submission's folder, or a single file together with what it imports."""
    code = read_code(path)
    entry, findings = choose_entry(code)
    game = entry.game if entry else None
    index = next((at for at, each in enumerate(rules) if each.game == game), 0)
    own = rules[index] if rules else CodeRules(game="")
    named = own.entries.get(id_) or own.entry
    if named is not None:
        entry, findings = choose_entry(code, named)
    if entry is None:
        return Inspection(entry=None, findings=findings, rules=index)
    findings += check(code, entry, forbidden_imports=own.forbidden_imports, course_modules=own.course_modules)
    return Inspection(
        entry=replace(entry, may_read_clock=may_read_clock(entry, code.graph)),
        findings=findings,
        rules=index,
        chance=chance(entry, code.graph),
        data_files=_data_files(code) if code.file is not None else (),
        played=read_played_code(code, entry) if with_played else None,
    )


def _data_files(code: SubmissionCode) -> tuple[Path, ...]:
    texts = {text for source in code.graph.sources for text in source.texts}
    names = {text for text in texts if text and not Path(text).is_absolute()}
    existing = {Path(os.path.realpath(code.root / name)) for name in names if os.path.isfile(code.root / name)}  # noqa: PTH113  a text need not be a path
    return tuple(sorted(file for file in existing if file.suffix != ".py" and file.is_relative_to(code.root)))
