"""Monte Carlo tree search: a tree of positions that grows where its results are good.

Each round descends by UCB1, adds a child, plays out one game from there, and updates the results on the path. A node may
have `4 + √visits / 2` children, the most promising ones first: with 100 moves in a position, trying each of them once would
use up the whole budget.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log, sqrt
from typing import Generic, Protocol, TypeVar

Position = TypeVar("Position")


class TreeRules(Protocol[Position]):
    """The rules of a game for the tree search."""

    def moves(self, position: Position) -> Iterator[tuple[int, Position]]:
        """The moves with the resulting positions, the most promising first; none once the game is over."""

    def playout(self, position: Position) -> float:
        """The result of a playout for the player that has just moved: from 0 (lost) to 1 (won)."""


class TreeNode(Generic[Position]):
    """A position in the tree. Wins are counted for the player that moved into it."""

    __slots__ = ("children", "move", "position", "untried", "visits", "wins")

    def __init__(self, move: int, position: Position) -> None:
        self.move = move
        self.position = position
        self.visits = 0
        self.wins = 0.0
        self.children: list[TreeNode[Position]] = []
        self.untried: Iterator[tuple[int, Position]] | None = None


@dataclass(frozen=True, slots=True)
class Growth:
    """How a tree grows."""

    exploration: float
    """The constant of UCB1: how strongly rarely visited children are preferred."""
    widening: bool
    """Whether a node's children are limited by its visits."""


def grow(rules: TreeRules[Position], root: TreeNode[Position], rounds: Iterable[object], growth: Growth) -> None:
    """Run one simulation for each element of `rounds`."""
    for _ in rounds:
        path = [root]
        while (child := _next(rules, path[-1], growth)) is not None:
            path.append(child)
            if child.visits == 0:
                break
        _count(path, rules.playout(path[-1].position))


def max_children(visits: int) -> int:
    """The limit on the children of a node with this many visits."""
    return int(4 + sqrt(visits) / 2)


def most_visited_child(root: TreeNode[Position]) -> TreeNode[Position]:
    """The most visited child; the earliest of them if there are several."""
    return max(root.children, key=lambda child: child.visits)


def _next(rules: TreeRules[Position], node: TreeNode[Position], growth: Growth) -> TreeNode[Position] | None:
    """A new child if the node may have one more; otherwise the child to descend into; None at the end of a game."""
    if not growth.widening or len(node.children) < max_children(node.visits):
        if node.untried is None:
            node.untried = rules.moves(node.position)
        if (untried := next(node.untried, None)) is not None:
            node.children.append(TreeNode(*untried))
            return node.children[-1]
    return _most_urgent_child(node, growth.exploration) if node.children else None


def _most_urgent_child(node: TreeNode[Position], exploration: float) -> TreeNode[Position]:
    # Rounded, because the last digits of a logarithm depend on the machine.
    scale = exploration * sqrt(round(log(node.visits), 9))
    best, chosen = -1.0, node.children[0]
    for child in node.children:
        visits = child.visits
        urgency = child.wins / visits + scale / sqrt(visits)
        if urgency > best:
            best, chosen = urgency, child
    return chosen


def _count(path: list[TreeNode[Position]], result: float) -> None:
    for node in reversed(path):
        node.visits += 1
        node.wins += result
        result = 1 - result
