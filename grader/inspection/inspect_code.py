"""Everything that is read from the code of one submission: its player, the findings, and whether it plays at random."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.games.exam import PlayedCode
from grader.inspection.chance import Chance, chance
from grader.inspection.clock import may_read_clock
from grader.inspection.entry import Choice, Entry, choose_asked_player, choose_player
from grader.inspection.environment import imported_packages, preloaded_modules
from grader.inspection.notebooks import in_cells, notebook_findings
from grader.inspection.played_code import read_played_code
from grader.inspection.static_check import check
from grader.inspection.submission_code import SubmissionCode, read_code, with_notebooks
from grader.records import Finding, RankedCandidate


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRules:
    """What an assignment says about the code of its submissions."""

    game: str
    entry: str | None = None
    """The player that it asks for, if any: tried first, then the rule."""
    entries: Mapping[str, str] = field(default_factory=dict)
    """The players that its overrides name, by submission: nothing else is tried."""
    forbidden_imports: tuple[str, ...] = ()
    course_modules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What was read from the code of one submission."""

    entry: Entry | None
    findings: tuple[Finding, ...]
    rules: int = 0
    """Which of the given rules are for its game, as an index."""
    candidates: tuple[RankedCandidate, ...] = ()
    """The classes and functions that could be its player, best first."""
    code: frozenset[str] = frozenset()
    """The digests of the code of all its files."""
    ranked_code: frozenset[str] = frozenset()
    """Those among them that the player was chosen from."""
    packages: frozenset[str] = frozenset()
    """The modules that its player imports, besides its own and Python's."""
    chance: Chance = Chance.UNKNOWN
    data_files: tuple[Path, ...] = ()
    """For a single file: the files next to it whose names occur in its code."""
    played: PlayedCode | None = None
    """What its code shows to the game's exam, if that was asked for."""


def inspect_code(
    path: Path,
    rules: Sequence[CodeRules] = (),
    id_: str = "",
    *,
    handed_out: frozenset[str] = frozenset(),
    with_played: bool = False,
) -> Inspection:
    """Inspect a submission's folder, or a single file together with what it imports.

    `handed_out` are the digests of the code that many submissions of the class share.
    """
    code = read_code(path)
    choice, index = _choose(code, rules, id_, handed_out)
    if not choice.is_own and (more := with_notebooks(code)) is not None:
        code = more
        choice, index = _choose(code, rules, id_, handed_out)
    entry = choice.entry
    inspection = Inspection(
        entry=entry,
        findings=in_cells(choice.findings, code),
        rules=index,
        candidates=choice.candidates,
        code=frozenset(source.code for source in code.graph.sources),
        ranked_code=choice.ranked_code,
    )
    if entry is None:
        return inspection
    own = rules[index] if rules else CodeRules(game="")
    found = check(code, entry, forbidden_imports=own.forbidden_imports, course_modules=own.course_modules)
    findings = (*notebook_findings(code, entry), *choice.findings, *found)
    return replace(
        inspection,
        entry=replace(entry, may_read_clock=may_read_clock(entry, code.graph), preload=preloaded_modules(code, entry)),
        findings=in_cells(findings, code),
        packages=imported_packages(code, entry),
        chance=chance(entry, code.graph),
        data_files=_data_files(code) if code.file is not None else (),
        played=read_played_code(code, entry) if with_played else None,
    )


def _choose(
    code: SubmissionCode, rules: Sequence[CodeRules], id_: str, handed_out: frozenset[str]
) -> tuple[Choice, int]:
    """The player of a submission, and the index of the rules for its game."""
    overriding = next((at for at, each in enumerate(rules) if id_ in each.entries), None)
    override = rules[overriding].entries[id_] if overriding is not None else None
    choice = choose_player(code, override, handed_out)
    index = _rules_index(choice, rules, overriding or 0)
    if override is None and rules and (asked := rules[index].entry) is not None:
        choice = choose_asked_player(code, asked, handed_out)
        index = _rules_index(choice, rules, index)
    return choice, index


def _rules_index(choice: Choice, rules: Sequence[CodeRules], default: int) -> int:
    """Which rules are for the game of the chosen player, if that is known."""
    game = choice.entry.game if choice.entry else None
    return next((at for at, each in enumerate(rules) if each.game == game), default)


def _data_files(code: SubmissionCode) -> tuple[Path, ...]:
    texts = {text for source in code.graph.sources for text in source.texts}
    names = {text for text in texts if text and not Path(text).is_absolute()}
    existing = {Path(os.path.realpath(code.root / name)) for name in names if os.path.isfile(code.root / name)}  # noqa: PTH113  a text need not be a path
    return tuple(sorted(file for file in existing if file.suffix != ".py" and file.is_relative_to(code.root)))
