"""The tree grows where results are good, and only as wide as its visits allow."""

from collections.abc import Iterator
from math import sqrt

from reference_players.search.tree import Growth, TreeNode, grow, most_visited_child

Path = tuple[int, ...]


class BestIsSeven:
    """An artificial game of two plies with ten moves each: opening with 7 wins, and with 3 half of the time."""

    def __init__(self) -> None:
        self.played: list[Path] = []

    def moves(self, path: Path) -> Iterator[tuple[int, Path]]:
        return ((move, (*path, move)) for move in range(10 if len(path) < 2 else 0))

    def playout(self, path: Path) -> float:
        self.played.append(path)
        first = {7: 1.0, 3: 0.5}.get(path[0], 0.0)
        return first if len(path) == 1 else 1 - first


def grown(rounds: int, *, widening: bool) -> tuple[BestIsSeven, TreeNode[Path]]:
    rules = BestIsSeven()
    root: TreeNode[Path] = TreeNode(0, ())
    grow(rules, root, range(rounds), Growth(0.4, widening))
    return rules, root


def test_the_best_move_is_visited_most():
    assert most_visited_child(grown(200, widening=False)[1]).move == 7


def test_without_widening_every_move_is_tried_before_any_is_tried_twice():
    rules, _ = grown(10, widening=False)

    assert rules.played == [(move,) for move in range(10)]


def test_with_widening_a_node_has_a_few_children_at_first_and_more_with_its_visits():
    for rounds in (4, 16, 50, 100):
        _, root = grown(rounds, widening=True)
        assert len(root.children) == int(4 + sqrt(rounds - 1) / 2)


def test_visits_and_wins_are_added_up_along_the_path():
    _, root = grown(60, widening=False)

    assert root.visits == sum(child.visits for child in root.children) == 60
    assert root.wins + sum(child.wins for child in root.children) == 60
