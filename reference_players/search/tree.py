"""Monte Carlo tree search: a tree of positions that grows where its results are good.

Every round walks down by UCB1, adds a child, plays one game out from there, and counts the result on the way back. A
node may have `4 + √visits / 2` children, the most promising first: with 100 moves a position, the first look at each
of them would use up every budget.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log, sqrt
from typing import Generic, Protocol, TypeVar

Position = TypeVar("Position")


class TreeRules(Protocol[Position]):
    """What the tree asks about a game."""

    def moves(self, position: Position) -> Iterator[tuple[int, Position]]:
        """The moves with the positions they lead to, the most promising first; none once the game is over."""

    def playout(self, position: Position) -> float:
        """The result of a game played out from here, for the player who has just moved: 1, 0, or between."""


class TreeNode(Generic[Position]):
    """A position in the tree. Wins are counted for the player who moved into it."""

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
    """The constant of UCB1: how much a seldom visited child is preferred."""
    widening: bool
    """Whether a node's children are limited by its visits."""


def grow(rules: TreeRules[Position], root: TreeNode[Position], rounds: Iterable[object], growth: Growth) -> None:
    """Search for as many rounds as are given."""
    for _ in rounds:
        path = [root]
        while (child := _next(rules, path[-1], growth)) is not None:
            path.append(child)
            if child.visits == 0:
                break
        _count(path, rules.playout(path[-1].position))


def max_children(visits: int) -> int:
    """How many children a node of so many visits may have where they are limited."""
    return int(4 + sqrt(visits) / 2)


def most_visited_child(root: TreeNode[Position]) -> TreeNode[Position]:
    """The child that was visited most; of several, the one tried first."""
    return max(root.children, key=lambda child: child.visits)


def _next(rules: TreeRules[Position], node: TreeNode[Position], growth: Growth) -> TreeNode[Position] | None:
    """A new child while the node may have one more, else the child to look into; None at the end of a game."""
    if not growth.widening or len(node.children) < max_children(node.visits):
        if node.untried is None:
            node.untried = rules.moves(node.position)
        if (untried := next(node.untried, None)) is not None:
            node.children.append(TreeNode(*untried))
            return node.children[-1]
    return _most_urgent_child(node, growth.exploration) if node.children else None


def _most_urgent_child(node: TreeNode[Position], exploration: float) -> TreeNode[Position]:
    # The last digits of a logarithm are not the same on every machine.
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
