"""Groups games that ended for the same reason, so that a report states each reason once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.fixtures import Match
from grader.games.endings import ending_label
from grader.language import Message
from grader.records import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonGroup:
    """Games of one player that ended for the same reason."""

    ending: str
    fault: Fault | None
    """The fault in the first of them, if one of the players caused it; None if the games ended by the rules."""
    matches: tuple[Match, ...]

    @property
    def is_varied(self) -> bool:
        """Whether the same fault is worded differently in some of the games, e.g. with another refused move."""
        return len({match.record.fault.text for match in self.matches if match.record.fault is not None}) > 1


def group_by_reason(matches: Iterable[Match]) -> list[ReasonGroup]:
    """The games, grouped by ending and fault, in the order in which each reason first occurs."""
    found: dict[tuple[str, ...], list[Match]] = {}
    for match in matches:
        fault = match.record.fault
        key: tuple[str, ...] = (match.record.ending,)
        if fault is not None:
            key += (str(has_own_fault(match)), *_fault_key(fault))
        found.setdefault(key, []).append(match)
    return [
        ReasonGroup(ending=group[0].record.ending, fault=group[0].record.fault, matches=tuple(group))
        for group in found.values()
    ]


def _fault_key(fault: Fault) -> tuple[str, ...]:
    """What faults with the same cause share: the line and the exception, whatever its text; any illegal move."""
    text = fault.text
    if not isinstance(text, Message) or not (fault.where or "answer" in text.values):
        return text, fault.help, fault.trace
    own = {"answer", "why"} if "answer" in text.values else {"text"}
    values = [f"{name}={value}" for name, value in text.values.items() if name not in own]
    return fault.where or "", text.template.partition(":")[0], *values


def fault_title(match: Match) -> Message:
    """The fault of a game in a few words: an exception with its place, e.g. `IndexError in solution.py:12`, or the ending."""
    fault = match.record.fault
    what = fault.text.values.get("what") if fault is not None and isinstance(fault.text, Message) else None
    if fault is not None and fault.where and isinstance(what, Message):
        return what
    return ending_label(match.record.ending, match.game)


def has_own_fault(match: Match) -> bool:
    """Whether the player lost the game by a fault of its own."""
    return match.own_fault is not None


def by_opponent(matches: Iterable[Match]) -> dict[str, list[Match]]:
    """The games against each opponent."""
    found: dict[str, list[Match]] = {}
    for match in matches:
        found.setdefault(match.opponent, []).append(match)
    return found


def list_game_numbers(matches: Sequence[Match]) -> str:
    """The games by opponent and number: `random 1, 2; minimax 1`."""
    return "; ".join(
        f"{opponent} {', '.join(str(match.fixture.number + 1) for match in games)}"
        for opponent, games in by_opponent(matches).items()
    )
