"""What needs the instructor's attention, in the terminal: who got 0 or was not understood, why, and what to do."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.assignment.override_writing import override_field
from grader.competition.attention import Attention, Cause, Concern, ExtensionHint, SharedReason, share_reasons
from grader.intake.names import name_with_id
from grader.language import Language, Message, say
from grader.reports.labels import cause_label, sentence_case
from grader.scoring.points import Grade

_LONGEST = 300
"""The longest reason, in characters."""
_MOST_NAMES = 8
"""The most names in a line."""

_ADVICE = {
    Cause.UNGRADED: say(
        "Nothing is counted against these students. Run the same command again; if the machine was too busy, at a quieter "
        "time."
    ),
    Cause.NO_PLAYER: say(
        "If one of their classes should play, name it under `overrides` in the assignment and run the same command again; "
        "otherwise ask for a new submission."
    ),
    Cause.EMPTY: say("Check the upload on your platform, and ask for a new submission."),
    Cause.UNREADABLE: say(
        "If you can open the files, unpack them into the submission's folder and run the same command again; otherwise ask "
        "for a new submission."
    ),
    Cause.NOT_LOADED: say(
        "The feedback tells the student what to fix. If the assignment is the cause, e.g. a short time for loading, change it "
        "and run the same command again."
    ),
    Cause.FAILED: say(
        "`grader replay` shows the games. If many submissions fail in the same way, check the handout and the assignment."
    ),
    Cause.DISQUALIFIED: say("Check the reason before you publish these grades."),
    Cause.LATE: say("To grant an extension, add it under `overrides` in the assignment."),
    Cause.NO_POINTS: say("Check that the assignment's scoring is what you intended."),
    Cause.LOST: say("These players work but lost; `grader replay` shows the games."),
    Cause.MISSING: say("If one of them did submit, check that the ids in the roster match the submissions."),
    Cause.FLAGGED: say("Check that the right files were graded."),
}
"""What the instructor can do about each cause. That about decisions and modules depends on the submissions."""


def render(attention: Attention, total: int, speak: Language) -> str:
    """Everything that needs attention, with a title; empty if there is nothing. `total` is the number of grades."""
    sections = [
        *(_section(cause, shared, attention, speak) for cause, shared in by_cause(attention.concerns).items()),
        *map(speak, general_hints(attention)),
    ]
    if not sections:
        return ""
    return "\n\n".join([speak(title(attention, total)), *sections])


def title(attention: Attention, total: int) -> Message:
    """How many need attention, and how many of them have no points or no grade."""
    return say(
        "Needs your attention: {count} of {total} ({zeros} with 0 points, {ungraded} not graded)",
        count=len(attention.concerns),
        total=total,
        zeros=len(attention.zeros),
        ungraded=sum(concern.grade.score is None for concern in attention.concerns),
    )


def render_zeros(zeros: Sequence[Concern], speak: Language) -> str:
    """The grades that an export writes as 0, with the reasons; empty if there are none."""
    if not zeros:
        return ""
    lines = [speak.say("{n} grade is 0:", "{n} grades are 0:", n=len(zeros))]
    for cause, shared in by_cause(zeros).items():
        lines += [f"  {line}" for line in [_heading(cause, speak), *_reasons(shared, speak)]]
    return "\n".join(lines)


def by_cause(concerns: Iterable[Concern]) -> Mapping[Cause, list[SharedReason]]:
    """The reasons by cause, in the order in which causes are listed."""
    found: dict[Cause, list[SharedReason]] = {}
    for shared in share_reasons(concerns):
        found.setdefault(shared.cause, []).append(shared)
    return found


def advice(cause: Cause, attention: Attention) -> Message:
    """What the instructor can do about a cause."""
    if cause is Cause.DECISION:
        return say(
            "Name the player of each under `overrides` in the assignment, or run the command again with --decide, which asks "
            "and writes this:"
        )
    return _modules_advice(attention.missing_modules) if cause is Cause.MISSING_MODULE else _ADVICE[cause]


def general_hints(attention: Attention) -> Iterator[Message]:
    """What would help several submissions, and is not the advice about a cause."""
    if attention.missing_modules and all(each.cause is not Cause.MISSING_MODULE for each in attention.concerns):
        yield _modules_advice(attention.missing_modules)
    yield from map(_extension_advice, attention.extensions)


def override_lines(shared: Iterable[SharedReason]) -> list[str]:
    """The lines for the assignment that name the first candidate of each submission."""
    grades = [concern.grade for each in shared for concern in each.concerns]
    return ["overrides:", *(f"  {override_field(grade.id, _first_entry(grade))}" for grade in grades)]


def _section(cause: Cause, shared: Sequence[SharedReason], attention: Attention, speak: Language) -> str:
    """A cause, its submissions with their reasons, and what to do."""
    lines = [_heading(cause, speak), *_reasons(shared, speak), f"→ {speak(advice(cause, attention))}"]
    if cause is Cause.DECISION:
        lines += [f"  {line}" for line in override_lines(shared)]
    return "\n".join(lines)


def _heading(cause: Cause, speak: Language) -> str:
    return f"{sentence_case(cause_label(cause), speak)}:"


def _reasons(shared: Iterable[SharedReason], speak: Language) -> Iterator[str]:
    """A line for each reason, with its submissions, and the candidates if the instructor has to choose one."""
    for each in shared:
        names = _names(each, speak)
        yield f"  {names}: {one_line(each.reason, speak)}" if states_reason(each) else f"  {names}"
        if each.cause is Cause.DECISION:
            yield from _candidates(each.concerns[0].grade, speak)


def states_reason(shared: SharedReason) -> bool:
    """Whether the reason says more than the name of the cause."""
    return shared.cause is not Cause.MISSING


def _names(shared: SharedReason, speak: Language) -> str:
    names = [name_with_id(concern.grade.name, concern.grade.id) for concern in shared.concerns]
    listed, more = ", ".join(names[:_MOST_NAMES]), len(names) - _MOST_NAMES
    return listed if more <= 0 else speak.say("{names} and {n} more", "{names} and {n} more", names=listed, n=more)


def one_line(text: str, speak: Language) -> str:
    """A text on one line, cut if it is very long."""
    flat = " ".join(speak(text).split())
    return flat if len(flat) <= _LONGEST else f"{flat[:_LONGEST]}…"


def _first_entry(grade: Grade) -> str:
    return grade.candidates[0].entry if grade.candidates else "file.py:Class"


def _candidates(grade: Grade, speak: Language) -> Iterator[str]:
    for number, candidate in enumerate(grade.candidates, 1):
        yield f"    {number}. {candidate.entry}: {speak(candidate.why)}"


def _modules_advice(needed: Mapping[str, int]) -> Message:
    counts = [
        say("{name} ({n} submission)", "{name} ({n} submissions)", name=name, n=count) for name, count in needed.items()
    ]
    text: Message = counts[0]
    for part in counts[1:]:
        text = say("{before}, {part}", before=text, part=part)
    return say(
        "Missing modules: {counts}. If any of these are packages, install them and run the same command again.",
        counts=text,
    )


def _extension_advice(hint: ExtensionHint) -> Message:
    return say(
        "`extended_board: true` in the assignment would fix at least the first error of {n} submission, which uses members "
        "that the board does not have ({members}): {ids}.",
        "`extended_board: true` in the assignment would fix at least the first error of {n} submissions, which use members "
        "that the board does not have ({members}): {ids}.",
        n=len(hint.ids),
        members=", ".join(hint.members),
        ids=", ".join(hint.ids),
    )
