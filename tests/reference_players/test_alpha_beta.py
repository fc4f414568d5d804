"""Pruning and transposition tables do not change results."""

import random
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.games.desconecta4 import Environment
from grader.games.desconecta4.bits import successors
from grader.games.hex.grid import each_bit
from reference_players.alphabeta import AlphaBetaPlayer, BoomFirst, new_table
from reference_players.coolcow import WIN, Connections, CoolcowPlayer, after_each_move, evaluate
from reference_players.minimax import CentreAndEdges, MinimaxPlayer
from reference_players.search.alpha_beta import INFINITY, Transpositions, best_move, fail_hard
from reference_players.search.geometry import geometry, place
from reference_players.search.percolation import Noise
from reference_players.ultrapro import Hybrid, UltraProNode
from tests.reference_players.positions import scattered, to_move, undecided


def plain_minimax(rules: Any, node: Any, depth: int) -> float:
    """The same search without any pruning."""
    value: float | None = rules.value(node, depth)
    if value is not None:
        return value
    return max(-plain_minimax(rules, child, depth - 1) for _, child in rules.moves(node))


def plain_best(rules: Any, moves: Any, depth: int) -> Any:
    return max(((-plain_minimax(rules, child, depth - 1), move) for move, child in moves), key=lambda pair: pair[0])[1]


@dataclass(frozen=True)
class Tree:
    """An artificial game: a node is a path, and the value of a leaf is a random number."""

    seed: int
    breadth: int = 3

    def value(self, node: tuple[int, ...], depth: int) -> float | None:
        return random.Random(f"{self.seed} {sorted(node)}").randint(-5, 5) if depth == 0 else None

    def moves(self, node: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        return [(move, (*node, move)) for move in range(self.breadth)]


@given(st.integers(0, 2**32), st.integers(1, 5))
def test_the_value_and_the_first_best_move_are_those_of_plain_minimax(seed, depth):
    rules = Tree(seed)
    move, value = best_move(rules, rules.moves(()), depth)

    assert value == plain_minimax(rules, (), depth)
    assert move == plain_best(rules, rules.moves(()), depth)


@given(st.integers(0, 2**32), st.integers(-6, 6), st.integers(-6, 6))
def test_a_value_is_never_outside_its_bounds(seed, one, other):
    alpha, beta = min(one, other), max(one, other) + 1
    value = fail_hard(Tree(seed), (), 4, alpha, beta)

    assert value == max(alpha, min(beta, plain_minimax(Tree(seed), (), 4)))


@given(st.integers(0, 2**32), st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), max_size=5))
def test_a_table_changes_no_value_whatever_was_searched_before(seed, windows):
    rules = Tree(seed)
    table: Transpositions[tuple[int, ...]] = Transpositions(key=lambda node: tuple(sorted(node)))
    for one, other in windows:
        fail_hard(rules, (), 4, min(one, other), max(one, other) + 1, table)

    assert fail_hard(rules, (), 4, -INFINITY, INFINITY, table) == plain_minimax(rules, (), 4)


def test_having_no_moves_is_an_error():
    with pytest.raises(ValueError, match="no move to choose from"):
        best_move(Tree(0), [], 2)


@pytest.mark.parametrize("style", ["fixed", "documented"])
@given(undecided(largest=6))
def test_minimax_plays_what_plain_minimax_plays(style, board):
    player = to_move(board)
    rules = CentreAndEdges(geometry(board), player, style)
    root = rules.node(board.stones(player), board.stones(3 - player))

    move = MinimaxPlayer(player, style=style).play(board)
    assert move == rules.geometry.cell(plain_best(rules, rules.moves(root), 2))


@pytest.mark.parametrize(("style", "width"), [("fixed", 40), ("fixed", 5), ("documented", None)])
@given(undecided(largest=4))
def test_coolcow_plays_what_plain_minimax_plays(style, width, board):
    player = to_move(board)
    rules = Connections(geometry(board), width)
    root = board.stones(player), board.stones(3 - player), player

    move = CoolcowPlayer(player, style=style, width=width or 40).play(board)
    assert move == rules.geometry.cell(plain_best(rules, rules.root_moves(root), 3))


@pytest.mark.parametrize("width", [40, 5])
@given(undecided(largest=4))
def test_coolcow_breaks_ties_towards_the_centre_without_changing_values(width, board):
    player = to_move(board)
    rules = Connections(geometry(board), width)
    root = board.stones(player), board.stones(3 - player), player
    values = {move: -plain_minimax(rules, child, 2) for move, child in rules.moves(root)}
    best = [move for move, value in values.items() if value == max(values.values())]
    steps = rules.geometry.from_centre

    row, col = CoolcowPlayer(player, width=width).play(board)
    chosen = rules.geometry.grid.bits[row][col]
    assert chosen in best
    assert steps[place(chosen)] == min(steps[place(move)] for move in best)


@given(undecided())
def test_coolcow_evaluates_all_moves_at_once_with_the_same_values_as_one_by_one(board):
    shape, player = geometry(board), to_move(board)
    mine, theirs = board.stones(player), board.stones(3 - player)
    at_once = after_each_move(shape, (mine, theirs, player))
    one_by_one = {}
    for bit in each_bit(shape.grid.full & ~(mine | theirs)):
        won = shape.grid.connects(mine | bit, player)
        one_by_one[bit] = WIN if won else -evaluate(shape, (theirs, mine | bit, 3 - player))

    assert {bit: at_once.of(bit) for bit in one_by_one} == one_by_one
    assert at_once.best() == max(one_by_one.values())


@given(st.lists(st.integers(0, 7), max_size=30), st.integers(1, 4))
def test_alphabeta_plays_what_plain_minimax_plays(actions, depth):
    environment = Environment()
    for action in actions:
        if action in environment.possible_actions() and not environment.is_over():
            environment.apply(action)
    if environment.is_over():
        return
    action = AlphaBetaPlayer(environment.active_player, depth=depth).play(environment)

    assert action == plain_best(BoomFirst(), successors(environment.state), depth)
    table = new_table()
    value = fail_hard(BoomFirst(), environment.state, depth, -INFINITY, INFINITY, table)
    assert value == plain_minimax(BoomFirst(), environment.state, depth)


@pytest.mark.parametrize("style", ["fixed", "documented"])
@pytest.mark.parametrize("seed", range(8))
def test_ultrapros_table_changes_no_value(style, seed):
    board = scattered(6, 8 + seed, seed, adjacency=("axial", "even-r")[seed % 2])
    player = to_move(board)
    shape = geometry(board)
    rules = Hybrid(shape, Noise(shape, 64, random.Random(seed)) if style == "fixed" else None)
    root = rules.root(board.stones(player), board.stones(3 - player), player)
    table: Transpositions[UltraProNode] = Transpositions(key=lambda node: node.key)
    for depth in (1, 2, 3, 4):
        with_table = fail_hard(rules, root, depth, -INFINITY, INFINITY, table)
        assert with_table == fail_hard(rules, root, depth, -INFINITY, INFINITY)
    assert table.bounds
