"""What needs the instructor's attention after a run: decisions, submissions that do not play and why, and what would help."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from grader.assignment import Assignment
from grader.assignment.override_writing import override_field
from grader.competition.grades import RunResult
from grader.competition.records import Entrant
from grader.language import Language, Message, say
from grader.records import Fault
from grader.reports.reasons import has_own_fault
from grader.sandbox.explain import MISSING_MEMBER
from grader.scoring.points import Grade

_MODULE = re.compile(r"No module named '([^'.]+)")
"""Python's words for a module that cannot be imported."""
_LONGEST = 300
"""The longest reason, in characters."""


def render(result: RunResult, speak: Language) -> str:
    """The sections that apply, each with a title; empty if there is nothing to say."""
    graded = {grade.id for grade in result if grade.status == "graded"}
    faults = {entrant.id: _faults(result, entrant) for entrant in result.setup.entrants if entrant.id in graded}
    sections = [
        _decisions([grade for grade in result if grade.needs_decision], speak),
        _failures(result, faults, speak),
        _missing_modules(faults, speak),
        *(_extended_board(assignment, result, faults, speak) for assignment in result.setup.assignments),
    ]
    return "\n\n".join(filter(None, sections))


def _faults(result: RunResult, entrant: Entrant) -> tuple[Fault, ...]:
    """The faults of a submission: the one that keeps it from being loaded, or those in its games."""
    trial = result.competition.unloadable.get(entrant.id)
    if trial is not None:
        return (trial.fault,) if trial.fault is not None else ()
    return tuple(
        match.record.fault
        for match in result.matches_of(entrant)
        if match.record.fault is not None and has_own_fault(match)
    )


def _decisions(undecided: Sequence[Grade], speak: Language) -> str:
    if not undecided:
        return ""
    lines = [speak.say("Needs your decision:")]
    for grade in undecided:
        lines += [f"  {grade.id}: {_line(grade.reason, speak)}", *_candidates(grade, speak)]
    lines.append(
        speak.say(
            "Name the player of each under `overrides` in the assignment, or run the command again with --decide, which asks "
            "and writes this:"
        )
    )
    lines.append("  overrides:")
    lines += [f"    {override_field(grade.id, _first_entry(grade))}" for grade in undecided]
    return "\n".join(lines)


def _first_entry(grade: Grade) -> str:
    return grade.candidates[0].entry if grade.candidates else "file.py:Class"


def _candidates(grade: Grade, speak: Language) -> Iterator[str]:
    for number, candidate in enumerate(grade.candidates, 1):
        yield f"    {number}. {candidate.entry}: {speak(candidate.why)}"


def _failures(result: RunResult, faults: dict[str, tuple[Fault, ...]], speak: Language) -> str:
    """Each submission that does not play, with its reason in one line."""
    lines = []
    for entrant in result.setup.entrants:
        own = faults.get(entrant.id, ())
        games = 1 if entrant.id in result.competition.unloadable else len(result.matches_of(entrant))
        if own and len(own) == games:
            reason, _ = Counter(fault.text for fault in own).most_common(1)[0]
            lines.append(f"  {entrant.id}: {_line(reason, speak)}")
    return "\n".join([speak.say("Submissions that do not play, or fail in every game:"), *lines]) if lines else ""


def _line(text: str, speak: Language) -> str:
    """A text on one line, cut if it is very long."""
    flat = " ".join(speak(text).split())
    return flat if len(flat) <= _LONGEST else f"{flat[:_LONGEST]}…"


def _missing_modules(faults: dict[str, tuple[Fault, ...]], speak: Language) -> str:
    """The modules that could not be imported, with the number of submissions that need each."""
    needed = Counter(name for own in faults.values() for name in {name for fault in own for name in _modules(fault)})
    if not needed:
        return ""
    counts = [
        say("{name} ({n} submission)", "{name} ({n} submissions)", name=name, n=count)
        for name, count in sorted(needed.items(), key=lambda item: (-item[1], item[0]))
    ]
    text: Message = counts[0]
    for part in counts[1:]:
        text = say("{before}, {part}", before=text, part=part)
    return speak.say(
        "Missing modules: {counts}. If any of these are packages, install them and run the same command again.",
        counts=text,
    )


def _modules(fault: Fault) -> list[str]:
    return _MODULE.findall(fault.text)


def _extended_board(
    assignment: Assignment, result: RunResult, faults: dict[str, tuple[Fault, ...]], speak: Language
) -> str:
    """How many submissions fail because the board lacks members that `extended_board` adds, in every game that they fail in.

    Whether something else would fail after that is not known.
    """
    if assignment.extended_board:
        return ""
    interface = assignment.rules.interface()
    helped: list[str] = []
    used: set[str] = set()
    for entrant in result.setup.entrants:
        found = [MISSING_MEMBER.search(fault.text) for fault in faults.get(entrant.id, ())]
        missing = {(match[1], match[2]) if match else None for match in found}
        if entrant.assignment == assignment and missing and missing <= interface.extensions:
            helped.append(entrant.id)
            used |= {match[2] for match in found if match}
    if not helped:
        return ""
    return speak.say(
        "`extended_board: true` in the assignment would fix at least the first error of {n} submission, which uses members "
        "that the board does not have ({members}): {ids}.",
        "`extended_board: true` in the assignment would fix at least the first error of {n} submissions, which use members "
        "that the board does not have ({members}): {ids}.",
        n=len(helped),
        members=", ".join(sorted(used)),
        ids=", ".join(helped),
    )
