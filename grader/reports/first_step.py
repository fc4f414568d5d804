"""The one thing that a student should do first, which feedback begins with."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.assignment import MatchTime
from grader.fixtures import Match
from grader.language import Message, say
from grader.records import Finding
from grader.reports.labels import finding_place, split_reason, time_limit_label
from grader.reports.reasons import ReasonGroup, group_by_reason, has_own_fault
from grader.scoring.points import Grade, Part

FIX, IMPROVE, DONE = "fix", "improve", "done"
"""The kinds of first steps."""
_TITLES = {FIX: say("Fix this first"), IMPROVE: say("Improve this first"), DONE: say("Nothing to fix")}

_CODE_LINES = 3
"""How many of the last lines of a traceback are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStep:
    """What to do first, and why."""

    kind: str
    text: str
    """What is wrong, in one sentence."""
    help: str = ""
    """What to do about it."""
    place: str = ""
    """The file and line, if the text does not name them."""
    code: str = ""
    """The student's lines that were running, each with its place."""
    matches: tuple[Match, ...] = ()
    """The games to look at."""

    @property
    def title(self) -> Message:
        """What it is, in a few words."""
        return _TITLES[self.kind]


def first_step(grade: Grade, played: Sequence[Match], time: MatchTime) -> FirstStep | None:
    """The most important finding, fault or weakness. None if there is nothing that the student can do.

    `played` are the games that the student may see.
    """
    reason, _ = split_reason(grade)
    if reason is not None:
        return _finding_step(reason)
    if grade.reason:
        return None
    groups = [group for group in group_by_reason(filter(has_own_fault, played)) if group.fault is not None]
    if groups:
        return _fault_step(max(groups, key=lambda group: len(group.matches)), len(played))
    late = tuple(match for match in played if any(turn.late for turn in match.record.turns_of(match.seat)))
    return _late_step(late, time) if late else _strength_step(grade, played)


def last_lines(trace: str) -> str:
    """The end of a traceback, which names the line that failed."""
    return "\n".join(trace.splitlines()[-_CODE_LINES:])


def _finding_step(finding: Finding) -> FirstStep:
    return FirstStep(kind=FIX, text=finding.text, help=finding.help, place=finding_place(finding))


def _fault_step(group: ReasonGroup, games: int) -> FirstStep:
    fault = group.fault
    assert fault is not None
    count = say(
        "{n} of {games} games was lost by an error.",
        "{n} of {games} games were lost by the same error.",
        n=len(group.matches),
        games=games,
    )
    return FirstStep(
        kind=FIX,
        text=say("{text} {fault}", text=count, fault=fault.text),
        help=fault.help,
        code=last_lines(fault.trace),
        matches=group.matches,
    )


def _late_step(late: tuple[Match, ...], time: MatchTime) -> FirstStep:
    moves = sum(turn.late for match in late for turn in match.record.turns_of(match.seat))
    return FirstStep(
        kind=FIX,
        text=say(
            "{n} move took longer than {limit} and was replaced by a random one.",
            "{n} moves took longer than {limit} and were replaced by random ones.",
            n=moves,
            limit=time_limit_label(time),
        ),
        help=say("Stop the search earlier: check the time inside it."),
        matches=late,
    )


def _strength_step(grade: Grade, played: Sequence[Match]) -> FirstStep | None:
    """The opponent against which most points were lost, or praise if none were."""
    counted = [part for part in grade.parts if part.games]
    if not counted:
        return None
    if all(part.won == part.games for part in counted):
        return FirstStep(kind=DONE, text=say("The player won all its games."))
    part = max(counted, key=_missing)
    lost = tuple(match for match in played if match.opponent == part.opponent and match.score < 1)
    text = say(
        "Most points were lost against {opponent}: {won} of {n} game won.",
        "Most points were lost against {opponent}: {won} of {n} games won.",
        opponent=part.opponent,
        won=part.won,
        n=part.games,
    )
    help_ = say("Step through a lost game from its end, and find the first move that you would play differently.")
    return FirstStep(kind=IMPROVE, text=text, help=help_ if lost else "", matches=lost)


def _missing(part: Part) -> tuple[float, int]:
    return part.max_points - part.points, part.lost
