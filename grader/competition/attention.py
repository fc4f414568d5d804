"""What needs the instructor's attention: submissions without points, without a grade, or perhaps misunderstood, and why.

Everything is computed from a result, whether it was just played or loaded from a results folder, so that `run`, `report`,
`show` and `export` say the same.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from grader.assignment import Assignment
from grader.competition.grades import RunResult
from grader.fixtures import Match
from grader.games.endings import ending_label
from grader.language import Message, say
from grader.records import Fault
from grader.sandbox.explain import MISSING_MEMBER
from grader.scoring.points import Grade

_MODULE = re.compile(r"No module named '([^'.]+)")
"""Python's words for a module that cannot be imported."""
FLAGGED = frozenset({"unclear_upload"})
"""The codes of findings that the instructor should check even if the submission has points."""


class Cause(str, Enum):
    """The kinds of reasons, in the order in which they are listed: first those about which the instructor can do most."""

    DECISION = "decision"
    """The instructor has to decide which class plays."""
    UNGRADED = "ungraded"
    """The grader failed; the student is not at fault."""
    NO_PLAYER = "no_player"
    EMPTY = "empty"
    UNREADABLE = "unreadable"
    """Its files cannot be unpacked or read."""
    MISSING_MODULE = "missing_module"
    NOT_LOADED = "not_loaded"
    FAILED = "failed"
    """It lost every game by a fault of its own."""
    DISQUALIFIED = "disqualified"
    LATE = "late"
    """The late penalty took all its points."""
    NO_POINTS = "no_points"
    """It did not lose every game, but the assignment gives no points for its results."""
    LOST = "lost"
    """It lost every game, at least one of them by the rules."""
    MISSING = "missing"
    """Nothing was submitted."""
    FLAGGED = "flagged"
    """It has points, but may have been misunderstood."""


_CAUSES = {"no_player": Cause.NO_PLAYER, "empty_submission": Cause.EMPTY, "syntax_error": Cause.NOT_LOADED}
"""Why a submission without a player cannot play, by the code of the finding. Any other is about its files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Concern:
    """A submission that needs the instructor's attention, and why."""

    grade: Grade
    cause: Cause
    reason: str

    @property
    def is_zero(self) -> bool:
        """Whether it has a score, and the score is 0."""
        return self.grade.score is not None and self.grade.score <= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedReason:
    """Submissions that need attention for the same reason."""

    cause: Cause
    reason: str
    concerns: tuple[Concern, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtensionHint:
    """Submissions that fail because the board lacks members that `extended_board` adds, in every game that they fail in.

    Whether something else would fail after that is not known.
    """

    ids: tuple[str, ...]
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """Everything in a result that needs the instructor's attention."""

    concerns: tuple[Concern, ...] = ()
    """At most one for each submission, sorted by cause."""
    missing_modules: Mapping[str, int] = field(default_factory=dict)
    """How many submissions need each module that could not be imported; most needed first."""
    extensions: tuple[ExtensionHint, ...] = ()
    """One for each assignment that should perhaps extend its board."""

    @property
    def zeros(self) -> tuple[Concern, ...]:
        """The submissions whose score is 0."""
        return tuple(concern for concern in self.concerns if concern.is_zero)


NO_ATTENTION = Attention()


def find_attention(result: RunResult) -> Attention:
    """What needs attention in the result of a run."""
    entrants = {entrant.id: entrant for entrant in result.setup.entrants}
    matches = {id_: result.matches_of(entrant) for id_, entrant in entrants.items()}
    unfinished = {
        grade.id
        for grade in result
        if result.competition.interim and grade.status == "ungraded" and not grade.needs_decision
    }
    found = [concern_about(grade, matches.get(grade.id, ())) for grade in result if grade.id not in unfinished]
    order = list(Cause)
    faults = {
        grade.id: _faults(result, grade.id, matches.get(grade.id, ())) for grade in result if grade.status == "graded"
    }
    hints = (_extension_hint(assignment, result, faults) for assignment in result.setup.assignments)
    return Attention(
        concerns=tuple(sorted(filter(None, found), key=lambda concern: order.index(concern.cause))),
        missing_modules=_missing_modules(faults.values()),
        extensions=tuple(filter(None, hints)),
    )


def concern_about(grade: Grade, matches: Sequence[Match]) -> Concern | None:
    """Why a submission needs attention, if it does. `matches` are its games that count and were played."""
    found = _cause(grade, matches)
    return None if found is None else Concern(grade=grade, cause=found[0], reason=found[1])


def share_reasons(concerns: Iterable[Concern]) -> list[SharedReason]:
    """The concerns, grouped by cause and reason."""
    found: dict[tuple[Cause, str], list[Concern]] = {}
    for concern in concerns:
        found.setdefault((concern.cause, concern.reason), []).append(concern)
    return [
        SharedReason(cause=cause, reason=same[0].reason, concerns=tuple(same)) for (cause, _), same in found.items()
    ]


def _cause(grade: Grade, matches: Sequence[Match]) -> tuple[Cause, str] | None:
    if grade.status == "excused":
        return None
    if grade.status == "ungraded":
        return Cause.DECISION if grade.needs_decision else Cause.UNGRADED, grade.reason
    if grade.status in ("missing", "disqualified"):
        return Cause(grade.status), grade.reason
    if grade.score is not None and grade.score <= 0:
        cause, reason = cause_of_not_playing(grade) or _cause_by_games(grade, matches)
        return cause, _with_flag(reason, _flag(grade))
    flag = _flag(grade)
    return None if flag is None else (Cause.FLAGGED, flag)


def _flag(grade: Grade) -> str | None:
    """What the instructor should check about a submission, whatever its points."""
    return next((finding.text for finding in grade.findings if finding.code in FLAGGED), None)


def _with_flag(reason: str, flag: str | None) -> str:
    if flag is None:
        return reason
    if reason.endswith((".", "!", "?")):
        return say("{reason} {flag}", reason=reason, flag=flag)
    return say("{reason}. {flag}", reason=reason, flag=flag)


def cause_of_not_playing(grade: Grade) -> tuple[Cause, str] | None:
    """Why no game of a submission was played, though it is graded; None if at least one was."""
    if grade.was_played or grade.status != "graded":
        return None
    if (module := _module(grade.reason)) is not None:
        return Cause.MISSING_MODULE, _module_text(module)
    if grade.entry:
        return Cause.NOT_LOADED, grade.reason
    codes = [finding.code for finding in grade.findings if finding.text == grade.reason]
    return _CAUSES.get(codes[0], Cause.UNREADABLE) if codes else Cause.NO_PLAYER, grade.reason


def _cause_by_games(grade: Grade, matches: Sequence[Match]) -> tuple[Cause, str]:
    """Why the games of a submission, or its penalty, led to 0 points."""
    points = round(sum(part.points for part in grade.parts), 4)
    won, drawn, lost = (sum(getattr(part, name) for part in grade.parts) for name in ("won", "drawn", "lost"))
    if points > 0 and grade.penalty > 0:
        return Cause.LATE, say(
            "{points:g} points before the late penalty of {penalty:g}.", points=points, penalty=grade.penalty
        )
    if points > 0:
        return Cause.NO_POINTS, say("{points:g} points before rounding.", points=points)
    if won or drawn:
        return Cause.NO_POINTS, say(
            "{won} won, {drawn} drawn, {lost} lost: too few for points.", won=won, drawn=drawn, lost=lost
        )
    faults = [match.own_fault for match in matches if match.own_fault is not None]
    if not faults or len(faults) < len(matches):
        return Cause.LOST, _endings_text(matches, faults)
    text, count = Counter(fault.text for fault in faults).most_common(1)[0]
    modules = {_module(fault.text) for fault in faults}
    if len(modules) == 1 and (module := modules.pop()) is not None:
        return Cause.MISSING_MODULE, _module_text(module)
    first = next(fault.text for fault in faults if fault.text == text)
    return Cause.FAILED, first if count == len(faults) else _endings_text(matches, faults)


def _endings_text(matches: Sequence[Match], faults: Sequence[Fault]) -> Message:
    """How often games ended in each way, with the most frequent fault: `3× illegal move, 1× connected. For example: …`."""
    counts = Counter(match.record.ending for match in matches)
    parts = [
        say("{count}× {ending}", count=count, ending=ending_label(ending, matches[0].game))
        for ending, count in counts.most_common()
    ]
    text = parts[0] if parts else say("No games were played.")
    for part in parts[1:]:
        text = say("{before}, {part}", before=text, part=part)
    if not faults:
        return text
    return say(
        "{endings}. For example: {text}",
        endings=text,
        text=max(faults, key=lambda fault: [each.text for each in faults].count(fault.text)).text,
    )


def _faults(result: RunResult, id_: str, matches: Sequence[Match]) -> tuple[Fault, ...]:
    """The faults of a submission: the one that keeps it from being loaded, or those in its games."""
    trial = result.competition.unloadable.get(id_)
    if trial is not None:
        return (trial.fault,) if trial.fault is not None else ()
    return tuple(match.own_fault for match in matches if match.own_fault is not None)


def _module(text: str) -> str | None:
    found = _MODULE.search(text)
    return None if found is None else found[1]


def _module_text(module: str) -> Message:
    return say("The module {name} is neither part of the submission nor installed.", name=module)


def _missing_modules(faults: Iterable[Sequence[Fault]]) -> dict[str, int]:
    needed = Counter(name for own in faults for name in {_module(fault.text) for fault in own} if name is not None)
    return dict(sorted(needed.items(), key=lambda item: (-item[1], item[0])))


def _extension_hint(
    assignment: Assignment, result: RunResult, faults: Mapping[str, Sequence[Fault]]
) -> ExtensionHint | None:
    if assignment.extended_board:
        return None
    interface = assignment.rules.interface()
    helped: list[str] = []
    used: set[str] = set()
    for entrant in result.setup.entrants:
        found = [MISSING_MEMBER.search(fault.text) for fault in faults.get(entrant.id, ())]
        missing = {(match[1], match[2]) if match else None for match in found}
        if entrant.assignment == assignment and missing and missing <= interface.extensions:
            helped.append(entrant.id)
            used |= {match[2] for match in found if match}
    return ExtensionHint(ids=tuple(helped), members=tuple(sorted(used))) if helped else None
