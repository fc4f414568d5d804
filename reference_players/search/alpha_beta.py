"""Alpha-beta, fail-hard, with or without a table of transpositions.

Every value is seen from the side to move. Fail-hard: what a search returns is never outside [alpha, beta].
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

Node = TypeVar("Node")
Move = TypeVar("Move")

INFINITY = float("inf")


class AlphaBetaRules(Protocol[Node]):
    """What a search asks about a game."""

    def value(self, node: Node, depth: int) -> float | None:
        """The value of a node at which the search ends, because of the rules or of the depth left; else None."""

    def moves(self, node: Node) -> Iterable[tuple[Any, Node]]:
        """The moves worth a look with the nodes they lead to, the most promising first. At least one."""


@dataclass(frozen=True, slots=True)
class Transpositions(Generic[Node]):
    """What earlier searches found out about positions."""

    key: Callable[[Node], Hashable]
    """The same for two nodes exactly if they are the same position."""
    bounds: dict[tuple[Hashable, int], tuple[float, float]] = field(default_factory=dict)
    """Key and depth left → the lowest and the highest value that the position can still have."""


def best_move(
    rules: AlphaBetaRules[Node],
    moves: Iterable[tuple[Move, Node]],
    depth: int,
    table: Transpositions[Node] | None = None,
) -> tuple[Move, float]:
    """The first move of the highest value, and that value. The depth counts these moves too."""
    best, chosen = -INFINITY, None
    for move, child in moves:
        value = -fail_hard(rules, child, depth - 1, -INFINITY, -best, table)
        if value > best:
            best, chosen = value, move
    if chosen is None:
        raise ValueError("there is no move to choose from")
    return chosen, best


def fail_hard(
    rules: AlphaBetaRules[Node],
    node: Node,
    depth: int,
    alpha: float,
    beta: float,
    table: Transpositions[Node] | None = None,
) -> float:
    """The value of a node, or the bound of [alpha, beta] that it lies beyond."""
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
