"""Fail-hard alpha-beta search, with or without a transposition table.

All values are for the player to move. Fail-hard means that a search never returns a value outside [alpha, beta].
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

Node = TypeVar("Node")
Move = TypeVar("Move")

INFINITY = float("inf")
TINY = 1e-6
"""Less than the difference of any two values."""


class AlphaBetaRules(Protocol[Node]):
    """The rules of a game for the search."""

    def value(self, node: Node, depth: int) -> float | None:
        """The value of a node at which the search ends, by the rules or because no depth is left; otherwise None."""

    def moves(self, node: Node) -> Iterable[tuple[Any, Node]]:
        """The moves to consider with the resulting nodes, the most promising first. At least one."""


@dataclass(frozen=True, slots=True)
class Transpositions(Generic[Node]):
    """A table with the results of earlier searches."""

    key: Callable[[Node], Hashable]
    """Returns the same key for two nodes if and only if they are the same position."""
    bounds: dict[tuple[Hashable, int], tuple[float, float]] = field(default_factory=dict)
    """For each key and remaining depth, the lowest and the highest possible value."""


def best_move(
    rules: AlphaBetaRules[Node],
    moves: Iterable[tuple[Move, Node]],
    depth: int,
    table: Transpositions[Node] | None = None,
) -> tuple[Move, float]:
    """The first move with the highest value, and that value. The depth includes these moves."""
    best, chosen = -INFINITY, None
    for move, child in moves:
        value = -fail_hard(rules, child, depth - 1, -INFINITY, -best, table)
        if value > best:
            best, chosen = value, move
    if chosen is None:
        raise ValueError("there is no move to choose from")
    return chosen, best


def near_best_moves(
    rules: AlphaBetaRules[Node],
    moves: Iterable[tuple[Move, Node]],
    depth: int,
    *,
    margin: float,
    win: float,
    table: Transpositions[Node] | None = None,
) -> list[tuple[Move, float]]:
    """The moves that are worse than the best by at most `margin`, with their values, in the given order.

    Once the game is decided (values from `win` on, or below −`win`), only the moves with the highest value.
    """
    best = -INFINITY
    found: list[tuple[Move, float]] = []
    for move, child in moves:
        value = -fail_hard(rules, child, depth - 1, -INFINITY, margin + TINY - best, table)
        best = max(best, value)
        found.append((move, value))
    if not found:
        raise ValueError("there is no move to choose from")
    least = best if abs(best) >= win else best - margin
    return [(move, value) for move, value in found if value >= least]


def fail_hard(
    rules: AlphaBetaRules[Node],
    node: Node,
    depth: int,
    alpha: float,
    beta: float,
    table: Transpositions[Node] | None = None,
) -> float:
    """The value of a node, limited to [alpha, beta]."""
    value = rules.value(node, depth)
    if value is not None:
        return alpha if value <= alpha else min(beta, value)
    if table is not None:
        key = table.key(node), depth
        low, high = table.bounds.get(key, (-INFINITY, INFINITY))
        if low >= beta:
            return beta
        if high <= alpha:
            return alpha
        if low == high:
            return low
    best = alpha
    for _, child in rules.moves(node):
        best = max(best, -fail_hard(rules, child, depth - 1, -beta, -best, table))
        if best >= beta:
            best = beta
            break
    if table is not None:
        table.bounds[key] = (best if best > alpha else low, best if best < beta else high)
    return best
