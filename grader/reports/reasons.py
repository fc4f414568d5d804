"""Groups games that ended for the same reason, so that a report states each reason once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.fixtures import Match
from grader.records import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonGroup:
    """Games of one player that ended for the same reason."""

    ending: str
    fault: Fault | None
    """The fault, if one of the players caused it; None if the games ended by the rules."""
    matches: tuple[Match, ...]


def group_by_reason(matches: Iterable[Match]) -> list[ReasonGroup]:
    """The games, grouped by ending and fault, in the order in which each reason first occurs."""
    found: dict[tuple[str, ...], list[Match]] = {}
    for match in matches:
        fault = match.record.fault
        key: tuple[str, ...] = (match.record.ending,)
        if fault is not None:
            key += (str(has_own_fault(match)), fault.text, fault.help, fault.trace)
        found.setdefault(key, []).append(match)
    return [
        ReasonGroup(ending=group[0].record.ending, fault=group[0].record.fault, matches=tuple(group))
        for group in found.values()
    ]


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
